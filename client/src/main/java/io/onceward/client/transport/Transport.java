package io.onceward.client.transport;

/** The network and the one thread that serves it. */
public interface Transport extends AutoCloseable {

  /**
   * Begins a conversation with a node over a connection of its own. Returns at once; the listener
   * hears when it is ready or has failed.
   *
   * @param address as {@code host:port}
   * @throws IllegalArgumentException if the address has another form
   */
  Line connect(String address, Line.Listener listener);

  /**
   * Runs a task on the transport's thread, after everything that was handed over before. After
   * {@link #close} it is not run, and nothing is thrown.
   */
  void execute(Runnable task);

  /** Likewise, after a while. */
  void schedule(Runnable task, long delayMillis);

  /** Whether the calling thread is the transport's. */
  boolean isTransportThread();

  /** Ends all lines and the thread; waits for it unless called on it. */
  @Override
  void close();
}
