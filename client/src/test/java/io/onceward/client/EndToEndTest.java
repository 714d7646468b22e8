package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.services.KeyValueReply;
import io.onceward.services.LeaseReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The public API against a node that behaves. */
class EndToEndTest {
  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final Onceward onceward = Onceward.connect(node.address());

  @AfterEach
  void close() {
    onceward.close();
    node.close();
  }

  private static Bytes add(String name, long amount) {
    return CounterCommand.encode(new CounterCommand.Add(name, amount));
  }

  @Test
  void aSessionCounts() {
    try (Session session = join(onceward.openSession())) {
      Counters counters = Counters.in(session);
      assertThat(join(counters.add("hits", 1))).isEqualTo(1);
      assertThat(join(counters.add("hits", 2))).isEqualTo(3);
      assertThat(join(counters.get("hits"))).isEqualTo(3);
      assertThat(session.info().nextSequence()).isEqualTo(3);
      assertThat(session.info().watermark()).isEqualTo(3);
      assertThat(session.info().inFlight()).isZero();
    }
    assertThat(log.sessions()).isZero();
  }

  @Test
  void aThousandRequestsInFlightTakeEffectInOrder() {
    try (Session session = join(onceward.openSession())) {
      List<CompletableFuture<Decided>> all = new ArrayList<>();
      for (int i = 0; i < 3_000; i++) {
        all.add(session.submit("counter", add("hits", 1)));
      }
      for (int i = 0; i < all.size(); i++) {
        Decided decided = join(all.get(i));
        assertThat(CounterReply.decode(decided.bytes()).value()).isEqualTo(i + 1);
        assertThat(((RequestId.OfSequence) decided.id()).sequence()).isEqualTo(i + 1);
        assertThat(decided.replay()).isFalse();
      }
    }
    assertThat(node.messages.get()).as("questions share messages").isLessThan(1_500);
  }

  @Test
  void keysAndValues() {
    try (Session session = join(onceward.openSession())) {
      KeyValue values = KeyValue.in(session);
      long first = join(values.put("a", "1"));
      assertThat(join(values.get("a"))).contains(new KeyValue.Versioned(Bytes.utf8("1"), first));
      assertThat(join(values.get("b"))).isEmpty();
      long second = join(values.compareAndSet("a", first, "2"));
      BusinessErrorException stale =
          failure(values.compareAndSet("a", first, "3"), BusinessErrorException.class);
      assertThat(stale).hasMessageContaining(String.valueOf(second));
      assertThat(stale.executed()).isEqualTo(Executed.YES);
      assertThat(stale.mayResend()).isFalse();
      assertThat(stale.requestId()).isPresent();
      join(values.put("ab", "x"));
      KeyValueReply.Entries page = join(values.list(Bytes.utf8("a"), Bytes.EMPTY, 10));
      assertThat(page.entries())
          .extracting(entry -> entry.key().asText())
          .containsExactly("a", "ab");
      assertThat(join(values.delete("a"))).isTrue();
      assertThat(join(values.delete("a"))).isFalse();
    }
  }

  @Test
  void leases() {
    try (Session session = join(onceward.openSession())) {
      Leases leases = Leases.in(session);
      LeaseReply.Granted granted = join(leases.acquire("db", "me", Duration.ofSeconds(5)));
      assertThat(
              failure(
                  leases.acquire("db", "you", Duration.ofSeconds(5)), BusinessErrorException.class))
          .hasMessageContaining("me");
      assertThat(join(leases.get("db")).map(LeaseReply.Held::holder)).contains("me");
      join(leases.renew("db", "me", granted.token(), Duration.ofSeconds(9)));
      join(leases.release("db", "me", granted.token()));
      assertThat(join(leases.get("db"))).isEqualTo(Optional.empty());
    }
  }

  @Test
  void aKeyHappensOnceWhoeverSendsIt() {
    Keyed keyed = onceward.keyed(new Scope("shop 1")).keepingReplies();
    Key key = Key.text("order 4711");
    Decided first = join(keyed.submit(key, "counter", add("orders", 1)));
    Decided again = join(keyed.submit(key, "counter", add("orders", 1)));
    assertThat(first.replay()).isFalse();
    assertThat(again.replay()).isTrue();
    assertThat(again.bytes()).isEqualTo(first.bytes());
    assertThat(again.position()).isEqualTo(first.position());
    assertThat(again.id()).hasToString("in:shop 1/s:order 4711");
    RefusedException mismatch =
        failure(keyed.submit(key, "counter", add("orders", 2)), RefusedException.class);
    assertThat(mismatch.refusal()).isEqualTo(io.onceward.Refusal.MISMATCH);
    assertThat(mismatch.executed()).isEqualTo(Executed.NEVER);
    assertThat(join(Counters.of(keyed).get("orders"))).isEqualTo(1);
    assertThat(join(Counters.of(onceward.keyed()).add(key, "orders", 5)))
        .as("another scope")
        .isEqualTo(6);
  }

  @Test
  void takenRepliesAreAcknowledgedOnTheirOwn_K2() {
    Keyed keyed = onceward.keyed();
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Key key = keyed.newKey();
      keys.add(key);
      join(keyed.submit(key, "counter", add("x", 1)));
    }
    Key first = keys.get(0);
    assertThat(join(keyed.outcome(first))).isInstanceOf(Outcome.Acknowledged.class);
    onceward.close();
    log.look(
        replica -> {
          for (Key key : keys) {
            assertThat(replica.outcome(FakeLog.PRINCIPAL, Scope.NONE, key))
                .isInstanceOf(Outcome.Acknowledged.class);
          }
        });
  }

  @Test
  void anUnkeyedCommandAlwaysExecutes_E10() {
    join(onceward.unkeyed("counter", add("x", 1)));
    assertThat(CounterReply.decode(join(onceward.unkeyed("counter", add("x", 1))).bytes()).value())
        .isEqualTo(2);
  }

  @Test
  void outcomesAndAbandonmentOfSequences_O1_O2() {
    try (Session session = join(onceward.openSession())) {
      Decided decided = join(session.submit("counter", add("x", 1)));
      assertThat(join(onceward.outcome(decided.id()))).isInstanceOf(Outcome.Executed.class);
      RequestId.OfSequence next =
          new RequestId.OfSequence(session.info().address(), session.info().nextSequence());
      assertThat(join(session.outcome(next))).isInstanceOf(Outcome.NeverSeen.class);
      assertThat(join(onceward.abandon(next))).isEqualTo(new Abandonment.Closed(true));
      assertThat(join(session.outcome(next))).isInstanceOf(Outcome.Abandoned.class);
      RefusedException refused =
          failure(session.submit("counter", add("x", 1)), RefusedException.class);
      assertThat(refused.executed()).isEqualTo(Executed.NEVER);
      assertThat(refused).hasMessageContaining("ABANDONED").hasMessageContaining(next.print());
      // Its reply was taken, and a later request has told the log so.
      assertThat(failure(session.abandon(decided.id()), RefusedException.class).refusal())
          .isEqualTo(io.onceward.Refusal.ACKNOWLEDGED);
      assertThat(join(Counters.in(session).add("x", 1))).isEqualTo(2);
    }
  }

  @Test
  void outcomesAndAbandonmentOfKeys_O1_O2() {
    Keyed keyed = onceward.keyed();
    Key done = keyed.newKey();
    Key open = keyed.newKey();
    join(keyed.submit(done, "counter", add("x", 1)));
    assertThat(join(keyed.abandon(done))).isInstanceOf(Abandonment.Executed.class);
    assertThat(join(keyed.outcome(open))).isInstanceOf(Outcome.NeverSeen.class);
    assertThat(join(keyed.abandon(open))).isEqualTo(new Abandonment.Closed(true));
    assertThat(join(onceward.abandon(new RequestId.OfKey(Scope.NONE, Key.text("t")))))
        .isEqualTo(new Abandonment.Closed(false));
    assertThat(
            failure(keyed.submit(open, "counter", add("x", 1)), RefusedException.class).executed())
        .isEqualTo(Executed.NEVER);
  }

  @Test
  void anUnknownServiceIsABusinessError() {
    try (Session session = join(onceward.openSession())) {
      Decided decided = join(session.submit("nonsense", Bytes.EMPTY));
      assertThat(decided.reply().kind()).isEqualTo(io.onceward.Reply.Kind.BUSINESS_ERROR);
    }
  }

  @Test
  void whatIsTooLargeForTheServiceDoesNotWedgeTheSession_S6() {
    try (Session session = join(onceward.openSession())) {
      CompletableFuture<Decided> large = session.submit("kv", Bytes.of(new byte[2 << 20]));
      CompletableFuture<Long> small = Counters.in(session).add("x", 1);
      RefusedException refused = failure(large, RefusedException.class);
      assertThat(refused.executed()).isEqualTo(Executed.NEVER);
      assertThat(refused.limit()).isEqualTo("command");
      assertThat(join(small)).isEqualTo(1);
      RefusedException huge =
          failure(session.submit("kv", Bytes.of(new byte[17 << 20])), RefusedException.class);
      assertThat(huge.executed()).isEqualTo(Executed.NEVER);
      assertThat(huge.requestId()).isEmpty();
    }
  }

  @Test
  void namedSessions_S2_S3() {
    Session auto = join(onceward.open(SessionOptions.auto("node-1").unordered().window(7)));
    assertThat(auto.info().window()).isEqualTo(7);
    assertThat(auto.info().ordered()).isFalse();
    Session next = join(onceward.open(SessionOptions.auto("node-1")));
    SessionLostException lost =
        failure(auto.submit("counter", add("x", 1)), SessionLostException.class);
    assertThat(lost.refusal()).isEqualTo(io.onceward.Refusal.SUPERSEDED);
    assertThat(lost.unknown()).hasSize(1);
    assertThat(lost.requestId()).contains(lost.unknown().get(0));
    assertThat(lost.executed()).isEqualTo(Executed.UNKNOWN);
    SessionLostException after =
        failure(auto.submit("counter", add("x", 1)), SessionLostException.class);
    assertThat(after.executed()).as("never sent").isEqualTo(Executed.NEVER);
    next.close();

    Session durable = join(onceward.open(SessionOptions.durable("billing")));
    join(durable.submit("counter", add("x", 1)));
    durable.leave();
    Session back = join(onceward.open(SessionOptions.durable("billing")));
    assertThat(back.info().nextSequence()).isEqualTo(2);
    assertThat(back.info().session()).isEqualTo(durable.info().session());
    assertThat(back.info().incarnation()).isGreaterThan(durable.info().incarnation());
  }

  @Test
  void whatOperatorsAsk() {
    Session session = join(onceward.openSession());
    Admin admin = onceward.admin();
    assertThat(join(admin.status()).role()).isEqualTo("leader");
    assertThat(join(admin.status(node.address())).id()).startsWith("n");
    assertThat(join(admin.sessions())).hasSize(1);
    assertThat(join(admin.countOlderThan(java.time.Instant.now()))).isZero();
    assertThat(join(admin.forget(java.time.Instant.now().minus(Duration.ofDays(30)))).records())
        .isZero();
    assertThat(failure(admin.forget(java.time.Instant.now()), RejectedException.class))
        .hasMessageContaining("ten minutes");
    join(admin.set(io.onceward.replica.Parameter.DEFAULT_WINDOW, 55));
    assertThat(join(onceward.openSession()).info().window()).isEqualTo(55);
    join(admin.setScope(new Scope("s"), Duration.ofDays(2), true));
    assertThat(
            failure(
                    onceward.keyed(new Scope("s")).submit(Key.text("t"), "counter", add("x", 1)),
                    RefusedException.class)
                .refusal())
        .isEqualTo(io.onceward.Refusal.UNDATED);
    join(admin.alias("bob", "alice"));
    assertThat(join(admin.snapshot(node.address()))).contains("snapshot");
    join(admin.closeSession(join(admin.sessions()).get(0)));
    assertThat(
            failure(session.submit("counter", add("x", 1)), SessionLostException.class).refusal())
        .isEqualTo(io.onceward.Refusal.NO_SESSION);
    assertThat(failure(admin.transferLeader(""), RejectedException.class)).isNotNull();
    List<Admin.NodeReport> reports = join(admin.statusOfAll(false));
    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).problem()).isEmpty();
  }
}
