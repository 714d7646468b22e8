package io.onceward.client.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.client.session.JournalRecord;
import io.onceward.replica.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a power cut leaves at any moment can be read (C5, L4). */
class JournalWriterTest {
  private static final byte[] HEAD = JournalImage.head("x");

  private static byte[] records(long sequence, int bytes) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (JournalRecord record :
        List.of(
            new JournalRecord.Opened(new Request.Address(1, 2, 3), sequence),
            new JournalRecord.Asked(sequence, "t" + sequence, null, payload(bytes)))) {
      byte[] encoded = RecordCodec.encode(record);
      records.writeBytes(ByteBuffer.allocate(4).putInt(encoded.length).array());
      records.writeBytes(encoded);
    }
    return records.toByteArray();
  }

  private static Bytes payload(int bytes) {
    byte[] payload = new byte[bytes];
    Arrays.fill(payload, (byte) 7);
    return Bytes.of(payload);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  /** How many batches each of the images has that a power cut would leave now. */
  private static List<Long> batchesAfterPowerCut(PowerCutChannel file) {
    List<Long> batches = new ArrayList<>();
    for (byte[] image : file.images()) {
      batches.add(JournalImage.read(image).batches());
    }
    return batches;
  }

  @Test
  void batchesArriveInTheirOrder() throws IOException {
    PowerCutChannel file = new PowerCutChannel(HEAD);
    JournalWriter writer = new JournalWriter(file, HEAD.length, 0);
    for (int i = 1; i <= 4; i++) {
      long number = i;
      file.afterEach = () -> assertThat(batchesAfterPowerCut(file)).isSubsetOf(number - 1, number);
      writer.add(records(i, 1_000));
      assertThat(batchesAfterPowerCut(file)).containsOnly((long) i);
    }
  }

  @Test
  void restOfATornBatchDoesNotComeBack() throws IOException {
    byte[] first = JournalImage.batch(1, records(1, 100), records(1, 100).length);
    byte[] second = JournalImage.batch(2, records(2, 9_000), records(2, 9_000).length);
    PowerCutChannel file = new PowerCutChannel(joined(HEAD, first, Arrays.copyOf(second, 5_000)));
    JournalImage read = JournalImage.read(file.images().get(0));
    assertThat(read.batches()).isEqualTo(1);
    file.afterEach = () -> assertThat(batchesAfterPowerCut(file)).isSubsetOf(1L, 2L);
    JournalWriter writer = new JournalWriter(file, read.soundBytes(), read.batches());
    writer.add(records(2, 100));
    assertThat(batchesAfterPowerCut(file)).containsOnly(2L);
  }

  /** Its process may have been killed between writing and syncing. */
  @Test
  void whatIsReadIsDurableBeforeItIsReliedOn() throws IOException {
    PowerCutChannel file = new PowerCutChannel(HEAD);
    file.position(HEAD.length);
    byte[] batch = JournalImage.batch(1, records(1, 100), records(1, 100).length);
    file.write(ByteBuffer.wrap(batch));
    assertThat(batchesAfterPowerCut(file)).contains(0L, 1L);
    new JournalWriter(file, HEAD.length + batch.length, 1).close();
    assertThat(batchesAfterPowerCut(file)).containsOnly(1L);
  }
}
