package io.onceward.server;

/**
 * How much a door lets in at a time (L1).
 *
 * @param entriesOutstanding entries handed to the log and not applied. With one, the log idles
 *     while replies travel; with many, requests wait in the log instead of sharing an entry
 * @param entryBytes frames are gathered into an entry up to this size; a larger frame goes alone
 * @param entryRequests requests in an entry
 * @param waitingPerVisitor copies of one connection that wait for an answer
 * @param waitingBytes what frames, copies and questions that wait take in all
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
}
