package io.onceward.client.journal;

import io.onceward.DamagedException;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The content of a journal file. Reading it tells a last batch that a crash left unfinished, which
 * is cut off, from damage, which is refused (L4): a request whose batch was synced may have been
 * sent, and its sequence must not be given to another one. What a crash leaves ends with the file,
 * or in zeros from the border of a sector on; a broken batch that a sound one follows was on disk
 * once.
 *
 * @param name the client whose journal it is
 * @param batches how many batches are sound
 * @param soundBytes how far they reach; what follows is to be cut off
 */
record JournalImage(String name, JournalState state, long batches, long soundBytes) {
  private static final byte[] MAGIC = "OWJRNL".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int BATCH = 0x4f574a42;
  private static final int BATCH_HEAD_BYTES = 20;
  private static final int SECTOR = 512;
  private static final String WHAT = "journal";

  static byte[] head(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer head = ByteBuffer.wrap(new byte[MAGIC.length + 2 + 1 + utf8.length + 4]);
    head.put(MAGIC).putShort((short) VERSION).put((byte) utf8.length).put(utf8);
    byte[] bytes = head.array();
    head.putInt(checksum(bytes, 0, head.position()));
    return bytes;
  }

  /**
   * One batch.
   *
   * @param records each preceded by its length
   */
  static byte[] batch(long number, byte[] records, int length) {
    byte[] bytes = new byte[BATCH_HEAD_BYTES + length];
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    batch.putInt(BATCH).putLong(number).putInt(length).putInt(0).put(records, 0, length);
    batch.putInt(16, batchChecksum(bytes, 0, length));
    return bytes;
  }

  private static int batchChecksum(byte[] bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at, 16);
    crc.update(bytes, at + BATCH_HEAD_BYTES, length);
    return (int) crc.getValue();
  }

  static JournalImage read(byte[] file) {
    try {
      return read(JournalBytes.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
  }

  /**
   * Reads a file.
   *
   * @throws DamagedException with offset and reason, if it is not only the end that is missing
   */
  static JournalImage read(JournalBytes file) throws IOException {
    String name = readHead(file);
    JournalState state = new JournalState();
    long batches = 0;
    long at = head(name).length;
    while (at < file.length()) {
      String flaw = flaw(file, at, batches + 1);
      if (!flaw.isEmpty()) {
        requireNothingSoundBehind(file, at, batches + 1, flaw);
        if (!isUnfinished(file, at)) {
          throw new DamagedException(WHAT, at, flaw + ", and no crash leaves it so");
        }
        break;
      }
      int length = file.intAt(at + 12);
      readBatch(file.copy(at + BATCH_HEAD_BYTES, length), at + BATCH_HEAD_BYTES, state);
      batches++;
      at += BATCH_HEAD_BYTES + length;
    }
    return new JournalImage(name, state, batches, at);
  }

  private static String readHead(JournalBytes file) throws IOException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (i >= file.length() || file.byteAt(i) != MAGIC[i]) {
        throw new DamagedException(WHAT, i, "it does not begin like a journal");
      }
    }
    int nameAt = MAGIC.length + 3;
    if (file.length() < nameAt) {
      throw new DamagedException(WHAT, file.length(), "it ends inside its head");
    }
    int version = ByteBuffer.wrap(file.copy(MAGIC.length, 2)).getShort();
    if (version != VERSION) {
      throw new DamagedException(
          WHAT, MAGIC.length, "version " + version + " is unknown; this build knows " + VERSION);
    }
    int nameBytes = file.byteAt(nameAt - 1) & 0xff;
    int end = nameAt + nameBytes;
    if (file.length() < end + 4) {
      throw new DamagedException(WHAT, file.length(), "it ends inside its head");
    }
    if (file.intAt(end) != checksum(file.copy(0, end), 0, end)) {
      throw new DamagedException(WHAT, end, "the checksum of its head is wrong");
    }
    return new String(file.copy(nameAt, nameBytes), StandardCharsets.UTF_8);
  }

  /** What keeps the bytes here from being the batch with this number; empty if nothing does. */
  private static String flaw(JournalBytes file, long at, long number) throws IOException {
    long left = file.length() - at;
    if (left < BATCH_HEAD_BYTES) {
      return "a batch is cut off";
    }
    if (file.intAt(at) != BATCH) {
      return "no batch begins here";
    }
    if (file.longAt(at + 4) != number) {
      return "batch " + file.longAt(at + 4) + " where " + number + " should be";
    }
    int length = file.intAt(at + 12);
    if (length < 0 || length > left - BATCH_HEAD_BYTES) {
      return "batch " + number + " is cut off";
    }
    return file.intAt(at + 16) == batchChecksum(file, at, length, file.copy(at, 16))
        ? ""
        : "the checksum of batch " + number + " is wrong";
  }

  private static boolean isUnfinished(JournalBytes file, long at) throws IOException {
    long left = file.length() - at;
    long most = left - BATCH_HEAD_BYTES;
    boolean begins = most >= 0 && file.intAt(at) == BATCH;
    long length = begins ? file.intAt(at + 12) : most;
    if (most < 0 || begins && (length < 0 || length > most)) {
      // It ends with the file, unless only its length says so.
      return most < 0 || !isWhole(file, at, most);
    }
    long written = file.length();
    while (written > at && file.byteAt(written - 1) == 0) {
      written--;
    }
    long border = (written + SECTOR - 1) / SECTOR * SECTOR;
    return written == at || border < at + BATCH_HEAD_BYTES + length;
  }

  /** Whether the batch is sound if it had this length. */
  private static boolean isWhole(JournalBytes file, long at, long length) throws IOException {
    if (length > Integer.MAX_VALUE) {
      return false;
    }
    byte[] head = file.copy(at, 16);
    ByteBuffer.wrap(head).putInt(12, (int) length);
    return file.intAt(at + 16) == batchChecksum(file, at, length, head);
  }

  private static int batchChecksum(JournalBytes file, long at, long length, byte[] head)
      throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(head, 0, head.length);
    file.addTo(crc, at + BATCH_HEAD_BYTES, length);
    return (int) crc.getValue();
  }

  private static void requireNothingSoundBehind(
      JournalBytes file, long at, long number, String flaw) throws IOException {
    for (long later = at + 1; later <= file.length() - BATCH_HEAD_BYTES; later++) {
      if (file.intAt(later) == BATCH
          && file.longAt(later + 4) > number
          && flaw(file, later, file.longAt(later + 4)).isEmpty()) {
        throw new DamagedException(WHAT, at, flaw + ", and a sound batch follows at byte " + later);
      }
    }
  }

  /**
   * Reads the records of a batch.
   *
   * @param start where they stand in the file, for messages
   */
  private static void readBatch(byte[] records, long start, JournalState state) {
    int at = 0;
    while (at < records.length) {
      int left = records.length - at;
      int bytes = left < 4 ? -1 : ByteBuffer.wrap(records).getInt(at);
      if (bytes < 1 || bytes > left - 4) {
        throw new DamagedException(WHAT, start + at, "a record of " + bytes + " bytes");
      }
      try {
        JournalRecord record =
            RecordCodec.decode(
                new DataInputStream(new ByteArrayInputStream(records, at + 4, bytes)));
        state.apply(record);
      } catch (IOException | RuntimeException e) {
        throw new DamagedException(WHAT, start + at, String.valueOf(e.getMessage()));
      }
      at += 4 + bytes;
    }
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
