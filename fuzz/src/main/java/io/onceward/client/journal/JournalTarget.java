package io.onceward.client.journal;

import io.onceward.client.session.JournalRecord;
import io.onceward.fuzz.Frugal;
import io.onceward.replica.Limits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Searches for journal files that upset their reader: any exception but damage, memory taken for a
 * length that only was claimed, or a record or a state that does not come back when it is written
 * again.
 */
public final class JournalTarget {
  private static final String NAME = "billing";
  private static final long MOST_HOLES = 1000;

  private JournalTarget() {}

  /** The input is a whole file, and the records of a batch whose checksum is right. */
  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> check(input));
    if (hasWideHole(input)) {
      return;
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(JournalImage.head(NAME));
    file.writeBytes(JournalImage.batch(1, input, input.length));
    Frugal.check(input.length, () -> check(file.toByteArray()));
  }

  /**
   * A hole takes memory for each of its sequences, up to a window: that is allowed, and more than
   * what is frugal for a few bytes. Wider ones are refused, and are let through here.
   */
  private static boolean hasWideHole(byte[] records) {
    int at = 0;
    while (records.length - at > 4) {
      int bytes = ByteBuffer.wrap(records).getInt(at);
      if (bytes < 1 || bytes > records.length - at - 4) {
        return false;
      }
      try {
        JournalRecord record =
            RecordCodec.decode(
                new DataInputStream(new ByteArrayInputStream(records, at + 4, bytes)));
        if (record instanceof JournalRecord.Holes holes) {
          long count = holes.end() - holes.start();
          if (count > MOST_HOLES && count <= Limits.WINDOW) {
            return true;
          }
        }
      } catch (IOException | RuntimeException noRecord) {
        return false;
      }
      at += 4 + bytes;
    }
    return false;
  }

  private static void check(byte[] file) throws IOException {
    JournalImage image = JournalImage.read(file);
    if (image.soundBytes() > file.length) {
      throw new AssertionError("more is sound than there is");
    }
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (JournalRecord record : image.state().records()) {
      byte[] bytes = RecordCodec.encode(record);
      JournalRecord again =
          RecordCodec.decode(new DataInputStream(new ByteArrayInputStream(bytes)));
      if (!again.equals(record)) {
        throw new AssertionError("not the same again: " + record);
      }
      records.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
      records.writeBytes(bytes);
    }
    ByteArrayOutputStream rewritten = new ByteArrayOutputStream();
    rewritten.writeBytes(JournalImage.head(NAME));
    rewritten.writeBytes(JournalImage.batch(1, records.toByteArray(), records.size()));
    JournalImage again = JournalImage.read(rewritten.toByteArray());
    if (!again.state().records().equals(image.state().records())) {
      throw new AssertionError("a rewritten journal means something else");
    }
  }
}
