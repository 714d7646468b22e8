package io.onceward.client.transport;

/** One conversation with one node: messages in both directions, each kept whole and in order. */
public interface Line {

  /** Hears what comes over the line, always on the transport's thread, one call at a time. */
  interface Listener {
    /** {@link #isReady()} may have become true. */
    void ready();

    void received(byte[] message);

    /** Nothing more comes, for this reason; called once, also if it was never connected. */
    void closed(String reason);
  }

  /** Whether a message would leave at once; false while too many bytes wait for the network. */
  boolean isReady();

  /** Sends a message. Not by two threads at once. */
  void send(byte[] message);

  /** Ends the conversation; the listener is told, perhaps before this returns. */
  void close(String reason);
}
