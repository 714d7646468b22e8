package io.onceward.http;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.MemoryStore;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.guard.UnknownRequest;
import java.util.List;

/** A store beyond a network that can fail. It counts as durable, so that nothing runs inline. */
final class FaultyStore implements ClaimStore {
  private final MemoryStore store = MemoryStore.builder().build();
  volatile boolean claimsFail;
  volatile boolean recordsFail;

  private static void fail(boolean broken) {
    if (broken) {
      throw new StoreUnavailableException("the line is cut", null);
    }
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    fail(claimsFail);
    return store.claim(ask, terms);
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    fail(recordsFail);
    return store.done(id, fence, reply);
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    fail(recordsFail);
    return store.unknown(id, fence, why);
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    fail(recordsFail);
    return store.release(id, fence);
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    fail(claimsFail);
    return store.rerun(ask, fence, terms);
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    return store.outcome(id);
  }

  @Override
  public GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    return store.abandon(id, retentionMillis);
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    return store.acknowledge(id);
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    return store.unknowns(atMost);
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    return store.evidence(id);
  }

  @Override
  public int sweep(int atMost) {
    return store.sweep(atMost);
  }

  @Override
  public Durability durability() {
    return Durability.DURABLE;
  }

  @Override
  public void close() {
    store.close();
  }
}
