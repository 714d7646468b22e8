package io.onceward.crash.child;

import io.onceward.Reply;
import io.onceward.crash.Step.Moment;
import io.onceward.crash.Step.Phase;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import java.util.List;
import java.util.function.Supplier;

/** A store that stops around claims and completions, and has the bytes between stopped too. */
class StoppingStore implements ClaimStore {
  final ClaimStore store;
  private final Stops stops;
  private final Gates gates;

  StoppingStore(ClaimStore store, Stops stops, Gates gates) {
    this.store = store;
    this.stops = stops;
    this.gates = gates;
  }

  private <T> T step(Phase phase, Supplier<T> call) {
    stops.reach(phase, Moment.BEFORE);
    stops.enter(phase);
    gates.close(phase, stops);
    T answer = call.get();
    stops.enter(null);
    stops.reach(phase, Moment.AFTER);
    return answer;
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    return step(Phase.CLAIM, () -> store.claim(ask, terms));
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    return step(Phase.CLAIM, () -> store.rerun(ask, fence, terms));
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    return step(Phase.DONE, () -> store.done(id, fence, reply));
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    return store.unknown(id, fence, why);
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    return store.release(id, fence);
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
  public int maxReplyBytes() {
    return store.maxReplyBytes();
  }

  @Override
  public Durability durability() {
    return store.durability();
  }

  @Override
  public void close() {
    store.close();
  }
}
