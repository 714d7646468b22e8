package io.onceward.replica;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.Arrays;

/**
 * Searches for bytes that upset the decoders of log entries and requests: any exception but {@link
 * DamagedException}, two forms of one value, or memory taken for a length that only was claimed.
 */
@NeedsJazzer
class LogEntryFuzzTest {

  /** The input is an entry without its checksum, and a frame as well. */
  @FuzzTest(maxDuration = "5s")
  void decodesOrNamesTheDamage(byte[] input) {
    FrugalDecoding.check(input.length, () -> checkEntry(input));
    FrugalDecoding.check(input.length, () -> checkEntry(LogEntryTest.withChecksum(input)));
    FrugalDecoding.check(input.length, () -> checkFrame(Bytes.of(input)));
  }

  private static void checkEntry(byte[] bytes) {
    LogEntry entry = LogEntry.decode(bytes);
    if (!Arrays.equals(entry.encode(), bytes)) {
      throw new AssertionError("a second form of " + entry);
    }
    for (LogEntry.Proposal proposal : entry.proposals()) {
      FrugalDecoding.check(bytes.length, () -> checkFrame(proposal.frame()));
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
