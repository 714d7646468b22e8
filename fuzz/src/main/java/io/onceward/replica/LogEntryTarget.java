package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.fuzz.Frugal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Searches for bytes that upset the decoders of log entries and requests: any exception but {@link
 * DamagedException}, two forms of one value, or memory taken for a length that only was claimed.
 */
public final class LogEntryTarget {

  private LogEntryTarget() {}

  /** The input is an entry without its checksum, and a frame as well. */
  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> checkEntry(input));
    Frugal.check(input.length, () -> checkEntry(withChecksum(input)));
    Frugal.check(input.length, () -> checkFrame(Bytes.of(input)));
  }

  private static byte[] withChecksum(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] entry = Arrays.copyOf(body, body.length + Integer.BYTES);
    ByteBuffer.wrap(entry).putInt(body.length, (int) crc.getValue());
    return entry;
  }

  private static void checkEntry(byte[] bytes) {
    LogEntry entry = LogEntry.decode(bytes);
    if (!Arrays.equals(entry.encode(), bytes)) {
      throw new AssertionError("a second form of " + entry);
    }
    for (LogEntry.Proposal proposal : entry.proposals()) {
      Frugal.check(bytes.length, () -> checkFrame(proposal.frame()));
    }
  }

  private static void checkFrame(Bytes frame) {
    Request request = RequestCodec.decode(frame);
    if (!Bytes.of(RequestCodec.encode(request)).equals(frame)) {
      throw new AssertionError("a second form of " + request);
    }
    if (!RequestCodec.knownType(frame)) {
      throw new AssertionError("decoded, but of an unknown type: " + request);
    }
  }
}
