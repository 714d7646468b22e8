package io.onceward.testkit.audit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.world.Wish;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** Tells an invariant, entry by entry, what a log decided, and sees what it makes of it. */
final class Story {
  static final String ALICE = "alice";
  static final Scope SCOPE = new Scope("shop");
  private static final long SESSION = 5 << 16;

  final Auditor auditor;
  private long position;
  private long nowMillis = 1_000_000;

  Story(Function<Ledger, Invariant> invariant) {
    Ledger ledger = new Ledger();
    auditor = new Auditor(ledger, List.of(invariant.apply(ledger)), Wish::numberIn);
  }

  // What requests look like.

  static Request.Address address() {
    return new Request.Address(0, SESSION, SESSION);
  }

  static Request.Address address(long incarnation) {
    return new Request.Address(0, SESSION, incarnation);
  }

  static Request.Open open(ClientKind kind, long nonce, long predecessor) {
    String name = kind == ClientKind.REGISTERED ? "" : "billing";
    return new Request.Open(kind, name, nonce, nonce, 0, predecessor, true, true, 8);
  }

  static Decision.Opened opened(long incarnation) {
    return new Decision.Opened(SESSION, incarnation, 1, 1, 8, true);
  }

  static Request.InSession ask(long sequence, long watermark, long wish) {
    return ask(address(), sequence, watermark, wish, null);
  }

  static Request.InSession ask(
      Request.Address address, long sequence, long watermark, long wish, Fingerprint fingerprint) {
    return new Request.InSession(address, sequence, watermark, fingerprint, payload(wish));
  }

  static Request.Keyed keyed(Key key, long wish) {
    return keyed(key, wish, null);
  }

  static Request.Keyed keyed(Key key, long wish, Fingerprint fingerprint) {
    return new Request.Keyed(SCOPE, key, fingerprint, List.of(), payload(wish));
  }

  static Bytes payload(long wish) {
    return Bytes.of(ByteBuffer.allocate(16).putLong(wish).array());
  }

  static Reply reply(long wish) {
    return Reply.ok(Bytes.of(ByteBuffer.allocate(16).putLong(wish).putLong(1).array()));
  }

  static Decision refused(Refusal refusal) {
    return new Decision.Refused(refusal);
  }

  // What happens.

  long position() {
    return position;
  }

  long nowMillis() {
    return nowMillis;
  }

  Story later(long millis) {
    nowMillis += millis;
    return this;
  }

  /** A session is opened, so that later chapters can use it. */
  Story sessionIsOpen(ClientKind kind) {
    return decided(open(kind, 1, 0), opened(SESSION));
  }

  Story decided(Request request, Decision decision, Execution... executions) {
    return decided(ALICE, request, decision, executions);
  }

  /** One entry with one request, applied by node 0. */
  Story decided(String who, Request request, Decision decision, Execution... executions) {
    position++;
    appliedBy(0, who, request, decision, executions);
    return this;
  }

  Story appliedBy(
      int node, String who, Request request, Decision decision, Execution... executions) {
    Batch batch = new Batch();
    for (Execution execution : executions) {
      batch.executed(execution);
    }
    batch.decided(decision);
    LogEntry entry = new LogEntry(0, nowMillis, List.of(new LogEntry.Proposal(who, request)));
    auditor.applied(node, position, 1, entry.encode(), batch);
    return this;
  }

  /** The request executes for the first time. */
  Story executed(Request request) {
    long wish = Wish.numberIn(request);
    return decided(request, first(wish), new Execution(wish, ALICE, reply(wish)));
  }

  /** What the first copy of the next entry is told. */
  Decision.Replied first(long wish) {
    return new Decision.Replied(reply(wish), false, position + 1, nowMillis);
  }

  Decision.Replied replay(long wish, long executedAt, long executedMillis) {
    return new Decision.Replied(reply(wish), true, executedAt, executedMillis);
  }

  /** A caller hears a decision from the cluster that has no id yet. */
  Story heard(String who, Request request, Decision decision) {
    auditor.answered(who, request, decision, 0);
    return this;
  }

  Story set(Parameter parameter, long value) {
    return decided(new Request.SetParameter(parameter, value), new Decision.Done());
  }

  Story clusterIs(ClusterId id) {
    return decided(new Request.FormCluster(id), new Decision.Done());
  }

  /** The last chapter breaks the promise. */
  static void breaks(Runnable chapter, String promise) {
    assertThatThrownBy(chapter::run).isInstanceOf(Violation.class).hasMessageContaining(promise);
  }
}
