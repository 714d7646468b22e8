package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A session: requests that each happen once, in the order in which they were submitted unless it is
 * unordered. May be used by any number of threads.
 *
 * <p>Futures complete on the client's network thread. What hangs on them must not block; give
 * {@link Onceward.Builder#completeOn} an executor if it does.
 */
public interface Session extends AutoCloseable {

  /**
   * Sends a command, again and again under the same id, until it is decided. It waits for its turn
   * if more are under way than the window allows.
   *
   * <p>The future completes with the decision, also if that is a business error; it fails with a
   * {@link RefusedException}, or with a {@link SessionLostException} or {@link
   * OutcomeUnknownException} if the outcome cannot be learned here any more.
   */
  CompletableFuture<Decided> submit(String service, Bytes command);

  /**
   * Likewise, but waits at most this long. The deadline ends the wait, not the request: the future
   * fails with {@link OutcomeUnknownException}, which has the id (C2).
   */
  CompletableFuture<Decided> submit(String service, Bytes command, Duration deadline);

  /**
   * Waits (again) for the decision about a request of this session: one that is under way, or one
   * that was decided after its caller had stopped waiting.
   */
  CompletableFuture<Decided> decision(RequestId id);

  /** What became of a request, asked linearizably (O1). */
  CompletableFuture<Outcome> outcome(RequestId id);

  /** Closes an id unless it executed; decides (O2). */
  CompletableFuture<Abandonment> abandon(RequestId id);

  /** Asks the service without changing anything. Linearizable, not remembered. */
  CompletableFuture<Reply> query(String service, Bytes question);

  SessionInfo info();

  /**
   * Takes nothing new, waits for all decisions, and closes the session in the log (S9): its memory
   * is gone afterwards, also for {@link #outcome}.
   */
  CompletableFuture<Void> closeAsync();

  /**
   * Stops at once without closing the session in the log, where it stays until it expires or its
   * name is opened again. Requests that are under way fail with {@link OutcomeUnknownException}.
   */
  void leave();

  /** {@link #closeAsync}, waited for; if that takes too long, {@link #leave}. */
  @Override
  void close();
}
