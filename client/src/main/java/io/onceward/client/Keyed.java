package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.DatedIds;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.replica.Limits;
import io.onceward.services.ServiceDirectory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Requests under keys, without a session: whoever knows the key may retry, from any process, for as
 * long as keys are remembered. They have no order. May be used by any number of threads.
 *
 * <p>A reply that was handed to its caller is acknowledged after a while, so that the cluster need
 * not keep it; the same key is then refused as {@code ACKNOWLEDGED} (K2). Who wants to send a key
 * again although the reply was received, from a script that may be repeated as a whole, say, uses
 * {@link #keepingReplies}.
 */
public final class Keyed {
  private static final int FRAME_MARGIN = 32 << 10;

  private final Onceward onceward;
  private final LiveKeys keys;
  private final DatedIds ids;
  private final Scope scope;
  private final boolean acknowledges;

  Keyed(Onceward onceward, LiveKeys keys, DatedIds ids, Scope scope, boolean acknowledges) {
    this.onceward = onceward;
    this.keys = keys;
    this.ids = ids;
    this.scope = scope;
    this.acknowledges = acknowledges;
  }

  /** The same, but nothing is acknowledged: replies stay until their retention ends (K3). */
  public Keyed keepingReplies() {
    return new Keyed(onceward, keys, ids, scope, false);
  }

  public Scope scope() {
    return scope;
  }

  /** A new dated key: unlike an undated one, it cannot execute again when it is forgotten (K5). */
  public Key newKey() {
    return ids.next();
  }

  /** Sends a command under a key until it is decided. */
  public CompletableFuture<Decided> submit(Key key, String service, Bytes command) {
    return submit(key, service, command, Long.MAX_VALUE);
  }

  /** Likewise; the deadline ends the wait, not the request (C2). */
  public CompletableFuture<Decided> submit(
      Key key, String service, Bytes command, Duration deadline) {
    long now = onceward.nodes().nowMillis();
    return submit(key, service, command, Millis.after(now, deadline));
  }

  private CompletableFuture<Decided> submit(
      Key key, String service, Bytes command, long deadlineMillis) {
    Bytes payload = ServiceDirectory.address(service, command);
    if (payload.length() > Limits.FRAME_BYTES - FRAME_MARGIN) {
      return CompletableFuture.failedFuture(
          new RefusedException(
              new Decision.Refused(Refusal.TOO_LARGE, "frame"), new RequestId.OfKey(scope, key)));
    }
    return keys.submit(scope, key, payload, acknowledges, deadlineMillis);
  }

  /** What became of a key, asked linearizably (O1). */
  public CompletableFuture<Outcome> outcome(Key key) {
    return onceward.outcome(new RequestId.OfKey(scope, key));
  }

  /** Closes a key unless it executed; decides (O2). */
  public CompletableFuture<Abandonment> abandon(Key key) {
    return keys.abandon(scope, key);
  }

  /** Asks the service without changing anything. Linearizable, not remembered. */
  public CompletableFuture<Reply> query(String service, Bytes question) {
    return onceward.query(service, question);
  }
}
