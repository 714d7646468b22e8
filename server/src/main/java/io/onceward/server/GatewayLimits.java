package io.onceward.server;

/**
 * What the node holds for those who connect as clients, whoever they are (L1, L2). All together it
 * stays within the direct memory and the heap that a server is started with. What is unread waits
 * in the heap; messages that are not finished, with what pooled buffers waste on them, and up to a
 * {@linkplain #WINDOW_BYTES window} of each connection that is served at the moment, take direct
 * memory.
 *
 * @param connections open connections. Where the system allows the process fewer than a third more
 *     files, three quarters of these: the log needs some too
 * @param streamsPerConnection calls at a time on one connection; a client needs one
 * @param metadataBytes headers of a call
 * @param handshakeSeconds within which a new connection has to speak HTTP/2
 * @param idleSeconds for which a connection without a call is kept
 * @param silenceSeconds after which a peer is pinged; one that does not answer is gone
 * @param unreadBytesPerConnection answers that wait because the client does not read them; beyond
 *     this no further message of it is taken in. Beyond a quarter of it, or less if others do not
 *     read either, what the client only wants to read waits, too, until it has read; what does not
 *     fit any more is answered {@code Unavailable}
 * @param unreadBytes the same, for all connections; beyond this, those that have not been reading
 *     for the longest are hung up on
 * @param unfinishedBytes messages of which a part is missing, for all connections; beyond this,
 *     those whose senders have been at it for the longest are hung up on. It has room for the
 *     longest message
 */
public record GatewayLimits(
    int connections,
    int streamsPerConnection,
    int metadataBytes,
    int handshakeSeconds,
    int idleSeconds,
    int silenceSeconds,
    int unreadBytesPerConnection,
    long unreadBytes,
    long unfinishedBytes) {
  /**
   * What a peer may send on a connection before the node has taken it in. It is fixed, since gRPC's
   * windows grow by themselves otherwise. In one go, each connection brings as much before those
   * that are hung up on for it give their memory back; and for a client that leaves too much
   * unread, what came lies there uncounted.
   */
  static final int WINDOW_BYTES = 128 << 10;

  /** Many short answers, so that who reads them gets them together even while others do not. */
  static final int LEAST_READ_AHEAD_BYTES = 16 << 10;

  public static final GatewayLimits DEFAULT =
      new GatewayLimits(10_000, 4, 8 << 10, 10, 60, 30, 4 << 20, 24L << 20, 40L << 20);

  /**
   * What may be unread of one connection while more is looked up for it. A crowd that reads nothing
   * would have as much made for each, so it is less the more is unread in all.
   */
  long readAheadBytes(long unreadOfAll) {
    long left = Math.max(0, unreadBytes - unreadOfAll);
    return Math.max(LEAST_READ_AHEAD_BYTES, unreadBytesPerConnection / 4 * left / unreadBytes);
  }
}
