package io.onceward.server.engine.ratis;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/**
 * A file of the log, entry by entry: a header, then for each entry its length as a varint, its
 * bytes, and the CRC-32C of both; zeros fill what was preallocated and not used.
 */
final class LogFile implements Closeable {
  private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);

  /**
   * What a disk writes in one piece, or not at all; a process that is killed stops at such a
   * border.
   */
  private static final int SECTOR = 512;

  enum Kind {
    /** A whole entry. */
    ENTRY,
    /** Nothing more, as it should be. */
    END,
    /** An entry of which only the beginning was ever written. */
    TORN,
    /** Bytes that are not what was written. */
    DAMAGED
  }

  /**
   * @param offset where it begins
   * @param entry the entry; an empty one if it is none
   * @param problem what is wrong with it; empty if nothing is
   */
  record Found(Kind kind, long offset, LogEntryProto entry, String problem) {}

  private final Path path;
  private final int maxEntryBytes;
  private final long size;
  private final DataInputStream in;
  private long offset;

  private LogFile(Path path, int maxEntryBytes) throws IOException {
    this.path = path;
    this.maxEntryBytes = maxEntryBytes;
    this.size = Files.size(path);
    this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 18));
  }

  static LogFile open(Path path, int maxEntryBytes) throws IOException {
    return new LogFile(path, maxEntryBytes);
  }

  /** What stands next. Not to be asked again after anything but an entry. */
  Found next() throws IOException {
    if (offset == 0) {
      byte[] header = in.readNBytes(HEADER.length);
      if (!Arrays.equals(header, HEADER)) {
        // A file that was made and never written to is nothing yet.
        return lastWritten(0) < 0
            ? found(Kind.END, "")
            : found(Kind.DAMAGED, "the file does not begin as a file of a log does");
      }
      offset = HEADER.length;
    }
    if (offset == size) {
      return found(Kind.END, "");
    }
    byte[] length = new byte[5];
    int lengthBytes = 0;
    int entryBytes = 0;
    try {
      do {
        length[lengthBytes] = in.readByte();
        entryBytes |= (length[lengthBytes] & 0x7f) << (7 * lengthBytes);
      } while (length[lengthBytes++] < 0 && lengthBytes < length.length);
    } catch (EOFException past) {
      return unreadable(lengthBytes, maxEntryBytes, "its length runs past the end of the file");
    }
    if (lengthBytes == 1 && entryBytes == 0) {
      return lastWritten(offset) < 0
          ? found(Kind.END, "")
          : found(Kind.DAMAGED, "zeros stand where it belongs, and more comes after them");
    }
    if (entryBytes <= 0 || entryBytes > maxEntryBytes) {
      return unreadable(lengthBytes, maxEntryBytes, "its length cannot be " + entryBytes);
    }
    return body(length, lengthBytes, entryBytes);
  }

  private Found body(byte[] length, int lengthBytes, int entryBytes) throws IOException {
    byte[] bytes = in.readNBytes(entryBytes);
    int checksum;
    try {
      checksum = in.readInt();
    } catch (EOFException past) {
      return unreadable(lengthBytes, entryBytes, "it runs past the end of the file");
    }
    CRC32C crc = new CRC32C();
    crc.update(length, 0, lengthBytes);
    crc.update(bytes);
    if ((int) crc.getValue() != checksum) {
      return unreadable(lengthBytes, entryBytes, "its checksum does not fit");
    }
    try {
      Found found = new Found(Kind.ENTRY, offset, LogEntryProto.parseFrom(bytes), "");
      offset += lengthBytes + entryBytes + Integer.BYTES;
      return found;
    } catch (InvalidProtocolBufferException strange) {
      return found(Kind.DAMAGED, "it cannot be read");
    }
  }

  /**
   * Tells an entry that was never finished from a damaged one. The former breaks off at the border
   * of a sector, and only zeros follow to the end of the file. But a whole entry whose length was
   * changed to a larger one looks the same, except that it is whole: with its right length, which
   * is where the zeros begin, its checksum fits.
   */
  private Found unreadable(int lengthBytes, int entryBytes, String problem) throws IOException {
    long written = lastWritten(offset) + 1;
    long border = (written + SECTOR - 1) / SECTOR * SECTOR;
    boolean breaksOff =
        border <= size && border < offset + lengthBytes + entryBytes + Integer.BYTES;
    return breaksOff && !wholeUpTo(written, lengthBytes)
        ? found(Kind.TORN, problem)
        : found(Kind.DAMAGED, problem);
  }

  private boolean wholeUpTo(long written, int lengthBytes) throws IOException {
    long most = Math.min(written + Integer.BYTES - 1, size) - offset;
    if (most > maxEntryBytes + 2L * Integer.BYTES) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) most);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) > 0) {}
    }
    // The checksum itself may end with zeros, and a changed length may have had fewer or more
    // bytes.
    for (int end = bytes.position(); end > written - offset - 1; end--) {
      for (int prefix = Math.max(1, lengthBytes - 1); prefix <= lengthBytes + 1; prefix++) {
        int body = end - prefix - Integer.BYTES;
        if (body > 0 && fits(bytes.array(), prefix, body)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean fits(byte[] bytes, int prefix, int body) {
    byte @Nullable [] length = varint(body, prefix);
    if (length == null) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(length);
    crc.update(bytes, prefix, body);
    return (int) crc.getValue() == ByteBuffer.wrap(bytes).getInt(prefix + body);
  }

  private static byte @Nullable [] varint(int value, int bytes) {
    byte[] varint = new byte[bytes];
    int rest = value;
    for (int i = 0; i < bytes; i++) {
      varint[i] = (byte) (rest & 0x7f | (i < bytes - 1 ? 0x80 : 0));
      rest >>>= 7;
    }
    return rest == 0 && (bytes == 1 || varint[bytes - 1] != 0) ? varint : null;
  }

  /** Where the last byte stands that is not zero; -1 if there is none from the given offset on. */
  private long lastWritten(long from) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(1 << 16);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      for (long end = size; end > from; ) {
        long start = Math.max(from, end - block.capacity());
        block.clear().limit((int) (end - start));
        while (block.hasRemaining() && channel.read(block, start + block.position()) > 0) {}
        for (int i = block.position() - 1; i >= 0; i--) {
          if (block.get(i) != 0) {
            return start + i;
          }
        }
        end = start;
      }
    }
    return -1;
  }

  private Found found(Kind kind, String problem) {
    return new Found(kind, offset, LogEntryProto.getDefaultInstance(), problem);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
