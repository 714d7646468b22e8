package io.onceward.replica;

import io.onceward.Bytes;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The bytes of a log entry. An entry has one encoding; what is decoded and encoded again gives the
 * same bytes. The frames inside are carried as they are, sound or not: whether a request is
 * well-formed is decided when it is applied.
 */
final class LogEntryCodec {
  static final int VERSION = 2;

  /** Which of several state machines an entry is for. There is one. */
  private static final int GROUP = 0;

  private static final int CHECKSUM_BYTES = Integer.BYTES;
  private static final int LEAST_BYTES = 1 + 1 + 2 * Long.BYTES + 1 + 1 + CHECKSUM_BYTES;

  /** Index and length of a proposal take at most three and four bytes. */
  private static final int PROPOSAL_EXTRA_BYTES = 7;

  private static final int USUAL_BYTES = 64;

  private LogEntryCodec() {}

  static byte[] encode(LogEntry entry) {
    List<LogEntry.Proposal> proposals = entry.proposals();
    require(proposals.size() <= Limits.PROPOSALS, "proposals", proposals.size(), Limits.PROPOSALS);
    long frames = 0;
    for (LogEntry.Proposal proposal : proposals) {
      int length = proposal.frame().length();
      require(length <= Limits.FRAME_BYTES, "frame bytes", length, Limits.FRAME_BYTES);
      frames += length;
    }
    require(frames <= Limits.ENTRY_BYTES, "entry bytes", frames, Limits.ENTRY_BYTES);
    ByteWriter out =
        new ByteWriter((int) frames + proposals.size() * PROPOSAL_EXTRA_BYTES + USUAL_BYTES);
    out.u8(VERSION);
    out.varint(GROUP);
    out.i64(entry.clusterTag());
    out.i64(entry.stampMillis());
    int[] indexes = writePrincipals(out, proposals);
    out.varint(proposals.size());
    for (int i = 0; i < indexes.length; i++) {
      out.varint(indexes[i]);
      out.bytes(proposals.get(i).frame());
    }
    require(
        out.length() + CHECKSUM_BYTES <= Limits.ENTRY_BYTES,
        "entry bytes",
        out.length() + CHECKSUM_BYTES,
        Limits.ENTRY_BYTES);
    out.i32(checksum(out.buffer, out.length()));
    return out.toArray();
  }

  /** Lists the principals in the order of their first proposals; returns the index for each one. */
  private static int[] writePrincipals(ByteWriter out, List<LogEntry.Proposal> proposals) {
    Map<String, Integer> principals = new LinkedHashMap<>();
    int[] indexes = new int[proposals.size()];
    for (int i = 0; i < indexes.length; i++) {
      String principal = proposals.get(i).principal();
      if (i > 0 && principal.equals(proposals.get(i - 1).principal())) {
        indexes[i] = indexes[i - 1];
        continue;
      }
      Integer earlier = principals.putIfAbsent(principal, principals.size());
      indexes[i] = earlier == null ? principals.size() - 1 : earlier;
    }
    out.varint(principals.size());
    for (String principal : principals.keySet()) {
      out.utf8("principal", principal, Limits.PRINCIPAL_BYTES);
    }
    return indexes;
  }

  static LogEntry decode(byte[] bytes) {
    ByteReader in = new ByteReader("log entry", Bytes.of(bytes));
    if (bytes.length > Limits.ENTRY_BYTES) {
      throw in.damaged(0, "it has " + bytes.length + " bytes; allowed are " + Limits.ENTRY_BYTES);
    }
    int version = in.u8();
    if (version != VERSION) {
      throw in.damaged(0, "version " + version + " is unknown; this build knows " + VERSION);
    }
    if (bytes.length < LEAST_BYTES) {
      throw in.damaged(bytes.length, "it is cut off; the shortest has " + LEAST_BYTES + " bytes");
    }
    int end = bytes.length - CHECKSUM_BYTES;
    int found = checksum(bytes, end);
    int written = (int) (Bytes.of(bytes).longAt(bytes.length - Long.BYTES));
    if (found != written) {
      throw in.damaged(
          end, "checksum is " + hex(written) + ", the bytes before it have " + hex(found));
    }
    in.startAt(Bytes.of(bytes, 0, end));
    in.u8();
    in.number("group", GROUP, GROUP);
    long clusterTag = in.i64();
    long stampMillis = in.i64();
    String[] principals = principals(in);
    return new LogEntry(clusterTag, stampMillis, proposals(in, principals));
  }

  private static String[] principals(ByteReader in) {
    long at = in.offset();
    int count = (int) in.number("number of principals", 0, Limits.PROPOSALS);
    in.checkLeft(at, count);
    String[] principals = new String[count];
    Set<String> seen = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      at = in.offset();
      principals[i] = in.utf8("principal", Limits.PRINCIPAL_BYTES);
      if (!seen.add(principals[i])) {
        throw in.damaged(at, "principal " + i + " is listed twice");
      }
    }
    return principals;
  }

  private static List<LogEntry.Proposal> proposals(ByteReader in, String[] principals) {
    long at = in.offset();
    int count = (int) in.number("number of proposals", 0, Limits.PROPOSALS);
    in.checkLeft(at, count);
    LogEntry.Proposal[] proposals = new LogEntry.Proposal[count];
    int used = 0;
    for (int i = 0; i < count; i++) {
      at = in.offset();
      int index = (int) in.number("principal of a proposal", 0, principals.length - 1);
      if (index > used) {
        throw in.damaged(at, "principal " + index + " is used before principal " + used);
      }
      used = Math.max(used, index + 1);
      Bytes frame = in.view(in.length("frame", Limits.FRAME_BYTES));
      proposals[i] = new LogEntry.Proposal(principals[index], frame);
    }
    if (used < principals.length) {
      throw in.damaged(in.offset(), "principal " + used + " is listed but asks nothing");
    }
    in.finish();
    return List.of(proposals);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static String hex(int checksum) {
    return HexFormat.of().toHexDigits(checksum);
  }

  private static void require(boolean holds, String what, long value, long most) {
    if (!holds) {
      throw new IllegalArgumentException(
          "a log entry cannot be written: " + what + " " + value + "; allowed are 0 to " + most);
    }
  }
}
