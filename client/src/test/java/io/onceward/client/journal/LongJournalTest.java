package io.onceward.client.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Reply;
import io.onceward.client.session.JournalRecord;
import io.onceward.replica.Request;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A journal that is longer than an array can be, made up while it is read. */
class LongJournalTest {
  private static final long BATCHES = 140;
  private static final byte[] HEAD = JournalImage.head("x");

  /** Each batch has a request of 16 MiB, its decision, and that it was taken. */
  private static final class MadeUp extends JournalBytes {
    private static final int BATCH_BYTES = batch(1).length;
    private byte[] made = new byte[0];
    private long number;

    MadeUp() {
      super(HEAD.length + BATCHES * BATCH_BYTES);
    }

    @Override
    void read(ByteBuffer into, long at) {
      long from = at;
      while (into.hasRemaining()) {
        boolean inHead = from < HEAD.length;
        int offset = (int) (inHead ? from : (from - HEAD.length) % BATCH_BYTES);
        byte[] source = inHead ? HEAD : batchAt(1 + (from - HEAD.length) / BATCH_BYTES);
        int count = Math.min(into.remaining(), source.length - offset);
        into.put(source, offset, count);
        from += count;
      }
    }

    private byte[] batchAt(long wanted) {
      if (number != wanted) {
        made = batch(wanted);
        number = wanted;
      }
      return made;
    }

    private static byte[] batch(long number) {
      ByteArrayOutputStream records = new ByteArrayOutputStream();
      String tag = String.format("tag %08d", number);
      add(records, new JournalRecord.Opened(new Request.Address(1, 2, 3), number));
      add(records, new JournalRecord.Asked(number, tag, null, Bytes.of(new byte[16 << 20])));
      add(
          records,
          new JournalRecord.Decided(number, new Decision.Replied(Reply.ok("ok"), false, 5, 6)));
      add(records, new JournalRecord.Taken(tag));
      return JournalImage.batch(number, records.toByteArray(), records.size());
    }

    private static void add(ByteArrayOutputStream records, JournalRecord record) {
      byte[] bytes = RecordCodec.encode(record);
      records.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
      records.writeBytes(bytes);
    }
  }

  @Test
  void journalBeyondTwoGibibytesIsRead_C5() throws Exception {
    MadeUp file = new MadeUp();
    assertThat(file.length()).isGreaterThan(Integer.MAX_VALUE);
    JournalImage image = JournalImage.read(file);
    assertThat(image.batches()).isEqualTo(BATCHES);
    assertThat(image.soundBytes()).isEqualTo(file.length());
    assertThat(image.state().nextSequence()).isEqualTo(BATCHES + 1);
    assertThat(image.state().entries()).isEmpty();
  }
}
