package io.onceward.client;

import io.onceward.Decision;
import io.onceward.RequestId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A caller's wait for one request. Others may wait with it: who waits again after a deadline, and
 * who wants it abandoned.
 */
final class Call extends CompletableFuture<Decided> implements Told {

  /** Where it is known that a decision was told. */
  @FunctionalInterface
  interface Sink {
    /**
     * Callers were told.
     *
     * @param heard false if nobody was waiting for it any more
     */
    void told(RequestId id, Decision decision, boolean heard);
  }

  private final Sink sink;
  private @Nullable Waiters<Call> others;
  private @Nullable Waiters<CompletableFuture<Abandonment>> abandoners;
  private @Nullable RequestId id;
  private @Nullable Decision decision;

  Call(Sink sink) {
    this.sink = sink;
  }

  /** Somebody else waits for the same request. Under the speaker's lock. */
  Call another() {
    if (others == null) {
      others = new Waiters<>();
    }
    Call other = new Call(sink);
    others.add(other);
    return other;
  }

  /** Somebody wants to know what abandoning led to. Under the speaker's lock. */
  CompletableFuture<Abandonment> abandoner() {
    if (abandoners == null) {
      abandoners = new Waiters<>();
    }
    CompletableFuture<Abandonment> abandoner = new CompletableFuture<>();
    abandoners.add(abandoner);
    return abandoner;
  }

  /** It is decided; {@link #tell} is called when no lock is held. */
  Call decide(RequestId ofRequest, Decision about) {
    id = ofRequest;
    decision = about;
    return this;
  }

  @Override
  public void tell() {
    if (id == null || decision == null) {
      throw new IllegalStateException("told before it was decided");
    }
    boolean heard = complete(this, id, decision);
    if (others != null) {
      for (Call other : others.all()) {
        heard |= complete(other, id, decision);
      }
    }
    if (abandoners != null) {
      for (CompletableFuture<Abandonment> abandoner : abandoners.all()) {
        heard |= completeAbandoner(abandoner, id, decision);
      }
    }
    sink.told(id, decision, heard);
  }

  static boolean complete(CompletableFuture<Decided> waiting, RequestId id, Decision decision) {
    if (decision instanceof Decision.Replied replied) {
      return waiting.complete(decided(id, replied));
    }
    return waiting.completeExceptionally(refused(id, decision));
  }

  static Decided decided(RequestId id, Decision.Replied replied) {
    return new Decided(
        id,
        Replies.kept(replied.reply()),
        replied.replay(),
        replied.position(),
        replied.timeMillis());
  }

  /** Why there is no reply. A decision that no request can get says nothing about its effect. */
  static OncewardException refused(@Nullable RequestId id, Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      return new RefusedException(refused, id);
    }
    return decision instanceof Decision.Rejected rejected
        ? new RejectedException(rejected.reason(), id)
        : new OutcomeUnknownException("an unexpected decision: " + decision, id);
  }

  static boolean completeAbandoner(
      CompletableFuture<Abandonment> abandoner, RequestId id, Decision decision) {
    if (decision instanceof Decision.Replied replied) {
      return abandoner.complete(new Abandonment.Executed(decided(id, replied)));
    }
    if (decision instanceof Decision.Abandoned abandoned) {
      return abandoner.complete(new Abandonment.Closed(abandoned.forEver()));
    }
    if (decision instanceof Decision.Refused refused
        && refused.executed() == io.onceward.Refusal.Executed.NEVER) {
      return abandoner.complete(new Abandonment.Closed(true));
    }
    return abandoner.completeExceptionally(refused(id, decision));
  }

  /** It will not be decided here. */
  void fail(OncewardException failure) {
    completeExceptionally(failure);
    if (others != null) {
      others.all().forEach(other -> other.completeExceptionally(failure));
    }
    if (abandoners != null) {
      abandoners.all().forEach(abandoner -> abandoner.completeExceptionally(failure));
    }
  }
}
