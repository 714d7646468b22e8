package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Replied;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaTest {
  private static final Key FIRST = Key.text("first");
  private static final Key SECOND = Key.text("second");

  private final TextService service = new TextService();
  private final Replica replica = new Replica(service);
  private final List<Decision> decisions = new ArrayList<>();

  @Test
  void anErrorOfTheServiceStopsTheReplicaForGood() {
    assertThatThrownBy(() -> apply(1, keyed(FIRST, "error")))
        .isInstanceOf(StackOverflowError.class);
    assertThat(decisions).isEmpty();
    assertThatThrownBy(() -> apply(2, keyed(SECOND, "fine")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("entry 1, request 0");
    assertThatThrownBy(replica::freeze).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(replica::digest).isInstanceOf(IllegalStateException.class);
  }

  /** A service that was compiled without checks must not stop every node (E8). */
  @Test
  void missingReplyIsAFailure() {
    apply(1, keyed(FIRST, "no reply"), keyed(SECOND, "no bytes"), keyed(FIRST, "no reply"));
    assertThat(replies()).containsOnly(Reply.FAILED).hasSize(3);
    assertThatThrownBy(() -> replica.query("alice", Bytes.EMPTY))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the service gave no reply");
    apply(2, new Request.Unkeyed(text("fine")));
    assertThat(replies()).endsWith(Reply.ok("fine@2"));
  }

  /** Whoever leads asks before each tick, and must not stop for it. */
  @Test
  void timePassesForAServiceThatCannotTellWhetherItMust() {
    assertThat(replica.anythingCanExpire()).isFalse();
    service.knowsWhetherItExpires = false;
    assertThat(replica.anythingCanExpire()).isTrue();
  }

  @Test
  void aQuarantinedRequestAnswersFailedAndTheRestOfItsBatchRuns() {
    replica.quarantine(1, 1);
    apply(1, keyed(FIRST, "one"), keyed(SECOND, "error"), new Request.Unkeyed(text("three")));
    assertThat(replies()).containsExactly(Reply.ok("one@1"), Reply.FAILED, Reply.ok("three@1"));
    apply(2, keyed(SECOND, "error"));
    assertThat(((Replied) decisions.get(3)).replay()).isTrue();
    assertThat(service.executions).isEqualTo(2);
  }

  /** A limit of the service refuses whatever kind of request it is, and leaves its id open (B5). */
  @Test
  void fullServiceRefusesBeforeItExecutes() {
    apply(1, new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, 1 << 16));
    apply(2, keyed(FIRST, "x".repeat(70)));
    apply(3, keyed(SECOND, "more"), new Request.Unkeyed(text("more")), keyed(SECOND, "less"));
    assertThat(decisions.subList(2, 4)).containsOnly(new Refused(Refusal.OVERLOADED, "texts"));
    assertThat(((Replied) decisions.get(4)).replay()).isFalse();
    assertThat(replica.serviceBytes()).isEqualTo(76_000);
    apply(4, new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, 1 << 20));
    apply(
        5,
        new Request.Unkeyed(text("more")),
        new Request.Unkeyed(text("odd")),
        new Request.Unkeyed(text("no word")));
    assertThat(decisions.subList(6, 9)).allMatch(Replied.class::isInstance);
  }

  /** Whoever sets something for a scope pays for it, so nobody can set without end (K6). */
  @Test
  void scopeSettingsAreChargedAndCanBeRemoved() throws IOException {
    apply(1, new Request.SetParameter(Parameter.MAX_PRINCIPAL_BYTES, 1 << 12));
    int done = 0;
    for (int i = 0; i < 100; i++) {
      apply(2 + i, new Request.SetScope(new Scope("s" + i), 3_600_000, false));
      done += decisions.get(decisions.size() - 1) instanceof Decision.Done ? 1 : 0;
    }
    assertThat(done).isBetween(20, 40);
    assertThat(decisions.get(decisions.size() - 1))
        .isEqualTo(new Refused(Refusal.OVERLOADED, "principal bytes"));
    assertThat(replica.tableBytes()).isBetween(4_000L, 4_400L);
    assertThat(restored().tableBytes()).isEqualTo(replica.tableBytes());
    // What is set already can be set to something else, and removed.
    apply(200, new Request.SetScope(new Scope("s0"), 7_200_000, true));
    for (int i = 0; i < 100; i++) {
      apply(201 + i, new Request.SetScope(new Scope("s" + i), 0, false));
    }
    assertThat(decisions.subList(101, decisions.size())).containsOnly(new Decision.Done());
    assertThat(replica.tableBytes()).isZero();
  }

  @Test
  void retentionsThatNothingUsesMakeRoomForOthers() {
    Scope shop = new Scope("shop");
    for (int i = 0; i < 50; i++) {
      apply(1 + i, new Request.SetScope(shop, 3_600_000 + i, false));
    }
    assertThat(decisions).containsOnly(new Decision.Done());
    for (int i = 0; i < 20; i++) {
      apply(51 + i, new Request.SetScope(new Scope("s" + i), 7_200_000 + i, false));
    }
    assertThat(decisions.subList(50, 64)).containsOnly(new Decision.Done());
    assertThat(decisions.get(69)).isInstanceOf(Decision.Rejected.class);
  }

  /** A class gives its place away, and what a scope forgot in it stays forgotten (K5). */
  @Test
  void horizonStaysWhenItsRetentionIsGone() throws IOException {
    Scope shop = new Scope("shop");
    Key dated = Key.dated(500_000, 1);
    apply(1, new Request.SetScope(shop, 600_000, false));
    apply(2, new Request.Keyed(shop, dated, null, List.of(), text("one")));
    apply(3, new Request.SetScope(shop, 700_000, false));
    long now = 1_000;
    for (int i = 0; i < 60; i++) {
      now += 20_000;
      applyAt(4 + i, now, new Request.Tick());
    }
    assertThat(replica.keyCount()).isZero();
    long horizon = replica.horizonMicros(shop);
    assertThat(horizon).isEqualTo(500_000);
    for (int i = 0; i < 40; i++) {
      applyAt(100 + i, now, new Request.SetScope(shop, 3_600_000 + i, false));
      assertThat(replica.horizonMicros(shop)).isEqualTo(horizon);
    }
    applyAt(200, now, new Request.SetScope(shop, 0, false));
    assertThat(replica.horizonMicros(shop)).isEqualTo(horizon);
    assertThat(restored().digest()).isEqualTo(replica.digest());
  }

  /**
   * A leader's clock was beyond all dates for one entry: nothing that is compared with it wraps.
   */
  @Test
  void lastMomentOfLogTimeIsNotBeforeAnyDate() throws IOException {
    Key dated = Key.dated(1_700_000_000_000_000L, 1);
    applyAt(1, 1_000, keyed(FIRST, "one"));
    applyAt(2, Long.MAX_VALUE, keyed(dated, "two"));
    applyAt(3, Long.MAX_VALUE, keyed(SECOND, "three"));
    assertThat(decisions).hasSize(3).allMatch(Replied.class::isInstance);
    applyAt(4, Long.MAX_VALUE, new Request.Forget(Long.MAX_VALUE - 600_000));
    assertThat(replica.outcome("alice", Scope.NONE, FIRST))
        .isInstanceOf(Outcome.NoRecordSince.class);
    long now = 1_700_000_000_000L;
    for (int i = 0; i < 5_000; i++) {
      now += 20_000;
      applyAt(5 + i, now, new Request.Tick());
    }
    assertThat(replica.keyCount()).isZero();
    assertThat(replica.outcome("alice", Scope.NONE, SECOND))
        .isEqualTo(new Outcome.NoRecordSince(Long.MAX_VALUE));
    assertThat(restored().digest()).isEqualTo(replica.digest());
  }

  /** O1: the record was dropped from the class that the scope was in before. */
  @Test
  void droppedKeyIsNotNeverSeenAfterTheRetentionChanged() {
    Scope shop = new Scope("shop");
    apply(1, new Request.SetScope(shop, 600_000, false));
    apply(2, new Request.Keyed(shop, FIRST, null, List.of(), text("one")));
    apply(3, new Request.SetScope(shop, 7_200_000, false));
    long now = 1_000;
    for (int i = 0; i < 60; i++) {
      now += 20_000;
      applyAt(4 + i, now, new Request.Tick());
    }
    assertThat(replica.keyCount()).isZero();
    assertThat(replica.outcome("alice", shop, FIRST)).isInstanceOf(Outcome.NoRecordSince.class);
  }

  /** O1: what else the earlier class of a scope dropped, and in which order, is nothing to it. */
  @Test
  void scopeKnowsWhenItsOwnLastRecordWasDropped() {
    Scope shop = new Scope("shop");
    Scope bar = new Scope("bar");
    applyAt(1, 1_000, new Request.SetScope(shop, 600_000, false));
    applyAt(2, 1_000, new Request.Keyed(shop, FIRST, null, List.of(), text("one")));
    applyAt(3, 1_000, new Request.SetScope(shop, 7_200_000, false));
    applyAt(4, 60_000, new Request.Keyed(bar, FIRST, null, List.of(), text("two")));
    applyAt(5, 60_000, new Request.SetScope(bar, 600_000, false));
    applyAt(6, 9_000_000, new Request.Forget(100_000));
    assertThat(replica.keyCount()).isZero();
    assertThat(replica.outcome("alice", shop, FIRST))
        .isEqualTo(new Outcome.NoRecordSince(1_023_000));
    assertThat(replica.outcome("alice", bar, FIRST))
        .isEqualTo(new Outcome.NoRecordSince(60_159_000));
  }

  @Test
  void pagesOfSessionsFollowEachOther() {
    for (int i = 0; i < 50; i++) {
      apply(1 + i, new Request.Open(ClientKind.REGISTERED, "", i, 7, 0, 0, false, true, 8));
    }
    List<Replica.SessionView> all = replica.sessions();
    assertThat(all).hasSize(50);
    List<Replica.SessionView> paged = new ArrayList<>();
    long after = 0;
    while (true) {
      List<Replica.SessionView> page = replica.sessions(after, 7);
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      if (page.isEmpty()) {
        break;
      }
      paged.addAll(page);
      after = page.get(page.size() - 1).session();
    }
    assertThat(paged).isEqualTo(all);
  }

  @Test
  void aListenerThatThrowsLeavesTheEntryWhole() {
    byte[] entry = entry(keyed(FIRST, "one"), keyed(SECOND, "two"));
    assertThatThrownBy(
            () ->
                replica.apply(
                    1,
                    1,
                    entry,
                    (ordinal, decision) -> {
                      throw new IllegalArgumentException("the connection is gone");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(service.texts()).isEqualTo("one;two;");
    apply(2, keyed(SECOND, "two"));
    assertThat(replies()).containsExactly(Reply.ok("two@1"));
  }

  @Test
  void aDamagedEntryChangesNothing() {
    apply(1, keyed(FIRST, "one"));
    String before = replica.digest();
    byte[] damaged = entry(keyed(SECOND, "two"));
    damaged[damaged.length / 2] ^= 1;
    assertThatThrownBy(() -> replica.apply(2, 1, damaged, null))
        .isInstanceOf(DamagedException.class);
    assertThat(replica.digest()).isEqualTo(before);
    apply(2, keyed(SECOND, "two"));
    assertThat(service.texts()).isEqualTo("one;two;");
  }

  @Test
  void aRequestOfALaterBuildStopsTheEntryBeforeAnythingChanges() {
    byte[] future = RequestCodec.encode(new Request.Tick());
    future[0] = 0x7F;
    LogEntry entry =
        new LogEntry(
            0,
            1_000,
            List.of(
                new LogEntry.Proposal("alice", keyed(FIRST, "one")),
                new LogEntry.Proposal("alice", Bytes.of(future))));
    assertThatThrownBy(() -> replica.apply(1, 1, entry.encode(), null))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("later build");
    assertThat(service.executions).isZero();
    assertThat(replica.position()).isZero();
  }

  @Test
  void aMalformedFrameIsRefusedAndItsNeighboursRun() {
    byte[] malformed = Arrays.copyOf(RequestCodec.encode(keyed(FIRST, "one")), 5);
    LogEntry entry =
        new LogEntry(
            0,
            1_000,
            List.of(
                new LogEntry.Proposal("alice", Bytes.of(malformed)),
                new LogEntry.Proposal("alice", keyed(SECOND, "two"))));
    replica.apply(1, 1, entry.encode(), this::heard);
    assertThat(decisions.get(0)).isEqualTo(new Refused(Refusal.MALFORMED));
    assertThat(service.texts()).isEqualTo("two;");
  }

  @Test
  void queryOfAnAliasAsksAsThePrincipal() {
    apply(1, keyed(FIRST, "one"), new Request.Alias("alice@new", "alice"));
    replica.query("alice@new", text("who"));
    assertThat(service.lastAsker).isEqualTo("alice");
  }

  @Test
  void positionsAndTermsOnlyGrow() {
    apply(5, keyed(FIRST, "one"));
    assertThatThrownBy(() -> apply(5, keyed(SECOND, "two")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> apply(4, keyed(SECOND, "two")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> replica.apply(6, 0, entry(keyed(SECOND, "two")), null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(service.executions).isEqualTo(1);
  }

  @Test
  void longRepliesSurviveCompactionSnapshotAndRestore() throws IOException {
    for (int i = 0; i < 4_000; i++) {
      apply(i + 1, keyed(Key.text("k" + i), i % 3 == 0 ? "big " + (i % 900) : "short"));
    }
    for (int i = 0; i < 4_000; i += 2) {
      apply(10_000 + i, new Request.Acknowledge(Scope.NONE, List.of(Key.text("k" + i))));
    }
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    replica.freeze().writeTo(snapshot);
    Replica restored =
        Replica.restore(new TextService(), 7, new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(restored.digest()).isEqualTo(replica.digest());
    for (int i = 1; i < 4_000; i += 2) {
      assertThat(restored.outcome("alice", Scope.NONE, Key.text("k" + i)))
          .isEqualTo(replica.outcome("alice", Scope.NONE, Key.text("k" + i)));
    }
  }

  private void applyAt(long position, long timeMillis, Request request) {
    LogEntry.Proposal proposal = new LogEntry.Proposal("alice", request);
    byte[] entry = new LogEntry(0, timeMillis, List.of(proposal)).encode();
    replica.apply(position, 1, entry, this::heard);
  }

  private Replica restored() throws IOException {
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    replica.freeze().writeTo(snapshot);
    return Replica.restore(new TextService(), 7, new ByteArrayInputStream(snapshot.toByteArray()));
  }

  private void apply(long position, Request... requests) {
    replica.apply(position, 1, entry(requests), this::heard);
  }

  private void heard(int ordinal, Decision decision) {
    decisions.add(decision);
  }

  private List<Reply> replies() {
    return decisions.stream().map(decision -> ((Replied) decision).reply()).toList();
  }

  private static byte[] entry(Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal("alice", request));
    }
    return new LogEntry(0, 1_000, proposals).encode();
  }

  private static Request keyed(Key key, String command) {
    return new Request.Keyed(Scope.NONE, key, null, List.of(), text(command));
  }

  private static Bytes text(String text) {
    return Bytes.utf8(text);
  }
}
