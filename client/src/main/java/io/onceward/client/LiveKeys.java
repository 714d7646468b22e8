package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.client.session.ClientKeys;
import io.onceward.client.session.KeyActions;
import io.onceward.client.session.KeyRequest;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@link ClientKeys} with threads and a network around it. */
final class LiveKeys extends Speaker implements KeyActions {
  private static final int MOST_UNDER_WAY = 16_384;

  /** Who waits for a keyed request, and whether its reply is acknowledged then. */
  private static final class Waiting extends CompletableFuture<Decided> {
    final boolean acknowledges;
    final @Nullable CompletableFuture<Abandonment> abandonment;

    Waiting(boolean acknowledges, @Nullable CompletableFuture<Abandonment> abandonment) {
      this.acknowledges = acknowledges;
      this.abandonment = abandonment;
    }
  }

  private final Onceward onceward;
  private final ClientKeys logic;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean closed;

  LiveKeys(Onceward onceward) {
    super(onceward.nodes());
    this.onceward = onceward;
    this.logic = new ClientKeys(nodes.pace(), this, MOST_UNDER_WAY);
    nodes.add(this);
  }

  CompletableFuture<Decided> submit(
      Scope scope, Key key, Bytes payload, boolean acknowledges, long deadlineMillis) {
    Waiting waiting = new Waiting(acknowledges, null);
    Fingerprint fingerprint = Fingerprint.ofPayload(payload);
    enter();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(closed(scope, key));
      }
      logic.submit(scope, key, fingerprint, payload, waiting, deadlineMillis, nowMillis);
    } finally {
      exit();
    }
    return waiting;
  }

  CompletableFuture<Abandonment> abandon(Scope scope, Key key) {
    CompletableFuture<Abandonment> abandonment = new CompletableFuture<>();
    enter();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(closed(scope, key));
      }
      logic.abandon(scope, key, new Waiting(false, abandonment), Long.MAX_VALUE, nowMillis);
    } finally {
      exit();
    }
    return abandonment;
  }

  /** An earlier call, or another process, may have sent a copy. */
  private static SessionClosedException closed(Scope scope, Key key) {
    return new SessionClosedException("the client", new RequestId.OfKey(scope, key));
  }

  /** Fails what is undecided, and says what is left to acknowledge. */
  CompletableFuture<Void> close() {
    enter();
    try {
      if (!closed) {
        closed = true;
        if (logic.undecided().isEmpty()) {
          logic.close(nowMillis);
        } else {
          end(logic.leave());
        }
      }
    } finally {
      exit();
    }
    return ended;
  }

  /** Waits for nothing any more. */
  void leave() {
    enter();
    try {
      closed = true;
      end(logic.leave());
    } finally {
      exit();
    }
  }

  private void end(List<KeyRequest> unknown) {
    nodes.remove(this);
    tell(
        () -> {
          for (KeyRequest request : unknown) {
            fail(request, new OutcomeUnknownException("the client was closed", request.id()));
          }
          ended.complete(null);
        });
  }

  private static void fail(KeyRequest request, OncewardException failure) {
    if (request.attachment() instanceof Waiting waiting) {
      waiting.completeExceptionally(failure);
      if (waiting.abandonment != null) {
        waiting.abandonment.completeExceptionally(failure);
      }
    }
  }

  // ---- events ---------------------------------------------------------------------------------

  @Override
  void answered(Object asked, int copy, Answer answer) {
    logic.answered((KeyRequest) asked, copy, answer, nowMillis);
  }

  @Override
  void rerouted() {
    logic.rerouted(nowMillis);
  }

  @Override
  void tick() {
    logic.tick(nowMillis);
  }

  @Override
  long wakeMillis() {
    return logic.wakeMillis();
  }

  // ---- actions --------------------------------------------------------------------------------

  @Override
  public void send(KeyRequest asked, int copy, Request request) {
    ask(
        new Asked(
            this,
            asked,
            copy,
            Asked.Wait.USUAL,
            request.getClass(),
            () -> Inquiries.logged(request)));
  }

  @Override
  public long jitterMillis() {
    return onceward.jitterMillis();
  }

  @Override
  public void decided(KeyRequest request, Decision decision) {
    if (request.attachment() instanceof Waiting waiting) {
      tell(
          () -> {
            RequestId.OfKey id = request.id();
            if (waiting.abandonment != null) {
              Call.completeAbandoner(waiting.abandonment, id, decision);
            } else if (Call.complete(waiting, id, decision)
                && waiting.acknowledges
                && decision instanceof Decision.Replied) {
              taken(id);
            }
          });
    }
  }

  /** The caller has the reply: only now may the log forget it (K2). */
  private void taken(RequestId.OfKey id) {
    enter();
    try {
      if (!closed) {
        logic.taken(id.scope(), id.key(), nowMillis);
      }
    } finally {
      exit();
    }
  }

  @Override
  public void rejected(KeyRequest request, String reason) {
    tell(() -> fail(request, new RejectedException(reason, request.id())));
  }

  @Override
  public void waitEnded(KeyRequest request) {
    tell(
        () ->
            fail(
                request,
                new OutcomeUnknownException("no decision within the deadline", request.id())));
  }

  @Override
  public void closed() {
    end(List.of());
  }
}
