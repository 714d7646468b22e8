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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@link ClientKeys} with threads and a network around it. */
final class LiveKeys extends Speaker implements KeyActions {
  private static final int MOST_UNDER_WAY = 16_384;

  /** Who waits for a keyed request, and whether its reply is acknowledged then. */
  private static final class Waiting extends CompletableFuture<Decided> {
    final boolean acknowledges;

    Waiting(boolean acknowledges) {
      this.acknowledges = acknowledges;
    }
  }

  /**
   * A command under way. Whoever asks the same under the same key meanwhile waits for it too, and
   * sends nothing: a caller who waits again and again would otherwise send more and more copies.
   */
  private static final class Wanted {
    final Fingerprint fingerprint;
    final Waiting first;
    final Waiters<Waiting> others = new Waiters<>();

    Wanted(Fingerprint fingerprint, Waiting first) {
      this.fingerprint = fingerprint;
      this.first = first;
    }
  }

  /** A key that is being abandoned, and all who want that. */
  private static final class Unwanted {
    final Waiters<CompletableFuture<Abandonment>> abandoners = new Waiters<>();
  }

  private final Onceward onceward;
  private final ClientKeys logic;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Map<RequestId.OfKey, Wanted> wanted = new HashMap<>();
  private final Map<RequestId.OfKey, Unwanted> unwanted = new HashMap<>();
  private boolean closed;

  LiveKeys(Onceward onceward) {
    super(onceward.nodes());
    this.onceward = onceward;
    this.logic = new ClientKeys(nodes.pace(), this, MOST_UNDER_WAY);
    nodes.add(this);
  }

  CompletableFuture<Decided> submit(
      Scope scope, Key key, Bytes payload, boolean acknowledges, long deadlineMillis) {
    Waiting waiting = new Waiting(acknowledges);
    Fingerprint fingerprint = Fingerprint.ofPayload(payload);
    RequestId.OfKey id = new RequestId.OfKey(scope, key);
    enter();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(closed(id));
      }
      Wanted same = wanted.get(id);
      if (same != null && same.fingerprint.equals(fingerprint)) {
        same.others.add(waiting);
      } else {
        Wanted fresh = new Wanted(fingerprint, waiting);
        logic.submit(scope, key, fingerprint, payload, fresh, deadlineMillis, nowMillis);
        wanted.putIfAbsent(id, fresh);
        return waiting;
      }
    } finally {
      exit();
    }
    return Deadline.end(waiting, nodes, id, deadlineMillis);
  }

  CompletableFuture<Abandonment> abandon(Scope scope, Key key) {
    CompletableFuture<Abandonment> abandonment = new CompletableFuture<>();
    RequestId.OfKey id = new RequestId.OfKey(scope, key);
    enter();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(closed(id));
      }
      Unwanted same = unwanted.get(id);
      if (same == null) {
        same = new Unwanted();
        logic.abandon(scope, key, same, Long.MAX_VALUE, nowMillis);
        unwanted.put(id, same);
      }
      same.abandoners.add(abandonment);
    } finally {
      exit();
    }
    return abandonment;
  }

  /** An earlier call, or another process, may have sent a copy. */
  private static SessionClosedException closed(RequestId.OfKey id) {
    return new SessionClosedException("the client", id);
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
    wanted.clear();
    unwanted.clear();
    tell(
        () -> {
          for (KeyRequest request : unknown) {
            fail(request, new OutcomeUnknownException("the client was closed", request.id()));
          }
          ended.complete(null);
        });
  }

  private static void fail(KeyRequest request, OncewardException failure) {
    if (request.attachment() instanceof Wanted asked) {
      asked.first.completeExceptionally(failure);
      asked.others.all().forEach(other -> other.completeExceptionally(failure));
    } else if (request.attachment() instanceof Unwanted asked) {
      asked.abandoners.all().forEach(each -> each.completeExceptionally(failure));
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
    RequestId.OfKey id = request.id();
    forget(request);
    if (request.attachment() instanceof Wanted asked) {
      tell(() -> tellCallers(asked, id, decision));
    } else if (request.attachment() instanceof Unwanted asked) {
      tell(
          () -> asked.abandoners.all().forEach(each -> Call.completeAbandoner(each, id, decision)));
    }
  }

  /** Nobody can share it any more. */
  private void forget(KeyRequest request) {
    if (request.attachment() instanceof Wanted asked) {
      wanted.remove(request.id(), asked);
    } else if (request.attachment() instanceof Unwanted asked) {
      unwanted.remove(request.id(), asked);
    }
  }

  private void tellCallers(Wanted asked, RequestId.OfKey id, Decision decision) {
    boolean heard = Call.complete(asked.first, id, decision);
    // One who keeps replies may ask again, whatever the others do.
    boolean kept = !asked.first.acknowledges;
    if (!asked.others.all().isEmpty()) {
      Decision again = asReplay(decision);
      for (Waiting other : asked.others.all()) {
        heard |= Call.complete(other, id, again);
        kept |= !other.acknowledges;
      }
    }
    if (heard && !kept && decision instanceof Decision.Replied) {
      taken(id);
    }
  }

  /** Whoever asked later is a retry of the first (E3). */
  private static Decision asReplay(Decision decision) {
    return decision instanceof Decision.Replied replied
        ? new Decision.Replied(replied.reply(), true, replied.position(), replied.timeMillis())
        : decision;
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
    forget(request);
    tell(() -> fail(request, new RejectedException(reason, request.id())));
  }

  /** Of the first who asked; the others have alarms of their own. */
  @Override
  public void waitEnded(KeyRequest request) {
    if (request.attachment() instanceof Wanted asked) {
      tell(() -> asked.first.completeExceptionally(Deadline.over(request.id())));
    }
  }

  @Override
  public void closed() {
    end(List.of());
  }
}
