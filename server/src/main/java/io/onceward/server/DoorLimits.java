package io.onceward.server;

import io.onceward.replica.Limits;

/**
 * How much a door lets in at a time (L1).
 *
 * @param entriesOutstanding entries handed to the log and not applied. With one, the log idles
 *     while replies travel; with many, requests wait in the log instead of sharing an entry
 * @param entryBytes frames are gathered into an entry up to this size; a larger frame goes alone
 * @param entryRequests requests in an entry
 * @param waitingPerVisitor copies of one connection that wait for an answer
 * @param waitingBytes what frames and copies that wait take in all. Questions that wait for an
 *     answer may take a quarter as much beside that, half of it on one connection
 * @param keepAliveBytes what keep-alives take in all, beside that: they wait for an entry to carry
 *     them, and must keep nobody out who would start one. At half of it an entry leaves at once
 */
public record DoorLimits(
    int entriesOutstanding,
    int entryBytes,
    int entryRequests,
    int waitingPerVisitor,
    long waitingBytes,
    long keepAliveBytes) {
  private static final long LEAST_KEEP_ALIVE_BYTES = 1 << 10;
  private static final long LEAST_QUESTION_BYTES = 1 << 10;

  public static final DoorLimits DEFAULT = new DoorLimits(2, 4 << 20, 1 << 14, 1 << 16, 128L << 20);

  /** Keep-alives may take a quarter of what all else may. */
  public DoorLimits(
      int entriesOutstanding,
      int entryBytes,
      int entryRequests,
      int waitingPerVisitor,
      long waitingBytes) {
    this(
        entriesOutstanding,
        entryBytes,
        entryRequests,
        waitingPerVisitor,
        waitingBytes,
        Math.max(waitingBytes / 4, LEAST_KEEP_ALIVE_BYTES));
  }

  /** What questions that wait take in all, with what they name and ask. */
  public long questionBytes() {
    return Math.max(waitingBytes / 4, LEAST_QUESTION_BYTES);
  }

  /** The same for one connection, unless it waits for the answer to a single question. */
  long questionBytesPerVisitor() {
    return questionBytes() / 2;
  }

  /** The longest query: as long as the longest frame. */
  int queryBytes() {
    return Limits.FRAME_BYTES;
  }
}
