package io.onceward.testkit.history;

import io.onceward.DamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * One recorded file, mapped into memory. Opening it checks every sum. The last record may be torn,
 * because its writer was killed; anything else that is not as it was written is {@link
 * DamagedException}.
 */
final class HistoryFile {
  /** A record is found in the part in which it begins, so parts overlap by the longest record. */
  private static final int PART_SHIFT = 30;

  private static final long OVERLAP = RecordLayout.LONGEST_BODY + RecordLayout.HEADER_BYTES;

  private final Path path;
  private final ByteBuffer[] parts;
  private final long size;
  private final List<String> names = new ArrayList<>();
  private long end;
  private long ops;

  /** Hears records in the order in which they were written. */
  interface Visitor {
    void record(long offset, ByteBuffer body);
  }

  private HistoryFile(Path path, ByteBuffer[] parts, long size) {
    this.path = path;
    this.parts = parts;
    this.size = size;
  }

  static HistoryFile open(Path path) throws IOException {
    HistoryFile file;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      ByteBuffer[] parts = new ByteBuffer[(int) ((size >>> PART_SHIFT) + 1)];
      for (int i = 0; i < parts.length; i++) {
        long start = (long) i << PART_SHIFT;
        long length = Math.min(size - start, (1L << PART_SHIFT) + OVERLAP);
        parts[i] = channel.map(FileChannel.MapMode.READ_ONLY, start, length);
      }
      file = new HistoryFile(path, parts, size);
    }
    file.checkAll();
    return file;
  }

  private void checkAll() {
    // A writer that was killed at once has not even written the beginning.
    if (size >= Long.BYTES && parts[0].getLong(0) != RecordLayout.MAGIC) {
      throw damaged(0, "it does not begin as a history of this version");
    }
    long offset = Math.min(size, Long.BYTES);
    while (size - offset >= RecordLayout.HEADER_BYTES) {
      int length = checkedLength(offset);
      if (size - offset - RecordLayout.HEADER_BYTES < length) {
        break;
      }
      ByteBuffer body = body(offset, length);
      if (RecordLayout.sumOf(body.duplicate()) != intAt(offset, 8)) {
        throw damaged(offset, "the checksum of a record is wrong");
      }
      note(offset, body);
      offset += RecordLayout.HEADER_BYTES + length;
    }
    end = offset;
  }

  private int checkedLength(long offset) {
    int length = intAt(offset, 0);
    if (intAt(offset, 4) != RecordLayout.sumOfLength(length)) {
      throw damaged(offset, "the checksum of a length is wrong");
    }
    if (length < 1 || length > RecordLayout.LONGEST_BODY) {
      throw damaged(offset, "a record has a length of " + length);
    }
    return length;
  }

  private void note(long offset, ByteBuffer body) {
    byte type = body.get(0);
    if (type == RecordLayout.NAME) {
      if (body.getShort(1) != names.size()) {
        throw damaged(offset, "name " + body.getShort(1) + " follows name " + (names.size() - 1));
      }
      byte[] text = new byte[body.remaining() - 3];
      body.get(3, text);
      names.add(new String(text, StandardCharsets.UTF_8));
    } else if (type == RecordLayout.INVOKED) {
      ops++;
      if (body.getLong(RecordLayout.OP) != ops) {
        throw damaged(offset, "op " + body.getLong(RecordLayout.OP) + " is number " + ops);
      }
    } else if (type > RecordLayout.UNKNOWN || type < RecordLayout.NAME) {
      throw damaged(offset, "there is no event of type " + type);
    } else if (body.getLong(RecordLayout.OP) < 1 || body.getLong(RecordLayout.OP) > ops) {
      throw damaged(offset, "op " + body.getLong(RecordLayout.OP) + " was not invoked");
    }
  }

  private DamagedException damaged(long offset, String reason) {
    return new DamagedException("history " + path.getFileName(), offset, reason);
  }

  private int intAt(long offset, int further) {
    return parts[(int) (offset >>> PART_SHIFT)].getInt(within(offset) + further);
  }

  private static int within(long offset) {
    return (int) (offset & (1L << PART_SHIFT) - 1);
  }

  private ByteBuffer body(long offset, int length) {
    return parts[(int) (offset >>> PART_SHIFT)].slice(
        within(offset) + RecordLayout.HEADER_BYTES, length);
  }

  /** The body of the record at an offset. */
  ByteBuffer body(long offset) {
    return body(offset, intAt(offset, 0));
  }

  void forEach(Visitor visitor) {
    for (long offset = Math.min(end, Long.BYTES); offset < end; ) {
      ByteBuffer body = body(offset);
      visitor.record(offset, body);
      offset += RecordLayout.HEADER_BYTES + body.remaining();
    }
  }

  Path path() {
    return path;
  }

  String name(int number) {
    return names.get(number);
  }

  /** How many ops were invoked. */
  long ops() {
    return ops;
  }

  /** How many bytes of a torn record are at the end. */
  long tornBytes() {
    return size - end;
  }
}
