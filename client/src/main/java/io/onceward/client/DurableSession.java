package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The session of a durable name with a journal: exactly once also when this process dies (C5).
 *
 * <p>Every request has a tag of the application's choosing. It is on disk before the request is
 * sent, and stays there with the reply until the application says {@link #taken}. After a crash
 * {@link #recovered} hands out everything that was not taken.
 *
 * <pre>{@code
 * try (DurableSession session = onceward.openDurable("billing", journal).join()) {
 *   for (Recovered left : session.recovered()) {
 *     left.decision().thenAccept(decided -> { book(left.tag(), decided); session.taken(left.tag()); });
 *   }
 *   session.submit("invoice 4711", "ledger", command)
 *       .thenAccept(decided -> { book("invoice 4711", decided); session.taken("invoice 4711"); });
 * }
 * }</pre>
 */
public interface DurableSession extends AutoCloseable {

  /**
   * Sends a command until it is decided, as {@link Session#submit(String, Bytes)} does.
   *
   * <p>While the journal holds the tag, submitting it again makes no second request: the same
   * command gets the same decision, another one is refused with {@code IllegalArgumentException}.
   *
   * @param tag 1 to {@value #MAX_TAG_BYTES} bytes in UTF-8
   * @throws IllegalArgumentException if it is not; nothing was written then
   */
  CompletableFuture<Decided> submit(String tag, String service, Bytes command);

  /** Likewise; the deadline ends the wait, not the request (C2). */
  CompletableFuture<Decided> submit(String tag, String service, Bytes command, Duration deadline);

  /** The longest tag, in UTF-8. */
  int MAX_TAG_BYTES = 1024;

  /** What earlier processes left and the application has not taken, in the order of asking. */
  List<Recovered> recovered();

  /**
   * The application has made the decision about this tag its own, or gives it up if it is unknown;
   * the journal need not keep it. If the process dies right now, the tag may be handed out once
   * more.
   *
   * @throws IllegalArgumentException if the tag is not in the journal, or not decided yet
   */
  void taken(String tag);

  /** What became of a request, asked linearizably (O1). */
  CompletableFuture<Outcome> outcome(RequestId id);

  /** Closes an id unless it executed; decides (O2). */
  CompletableFuture<Abandonment> abandon(RequestId id);

  /** Asks the service without changing anything. Linearizable, not remembered. */
  CompletableFuture<Reply> query(String service, Bytes question);

  SessionInfo info();

  /**
   * Gives the name up: waits for all decisions and closes the session in the log (S9). What is
   * decided and not taken stays in the journal.
   */
  CompletableFuture<Void> end();

  /**
   * Stops here; the session stays in the log for the next process that opens the journal. Requests
   * that are under way fail with {@link OutcomeUnknownException}, and are recovered there.
   */
  @Override
  void close();
}
