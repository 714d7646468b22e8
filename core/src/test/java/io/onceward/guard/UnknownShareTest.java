package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unknown requests are never dropped, so they have a share of the store (G1, G2). */
class UnknownShareTest {
  private static final ClaimTerms HOUR = new ClaimTerms(60_000, 3_600_000);
  private static final Claimed TOO_MANY =
      new Claimed.Refused(Refusal.OVERLOADED, "unknown requests");

  private final MemoryStore store =
      MemoryStore.builder().maxEntries(100).clock(new HandClock()).sweptByHand().build();
  private int requests;

  private Ask ask(String principal, String scope, String operation) {
    Key key = Key.text("request " + requests++);
    return new Ask(new GuardedId(principal, new Scope(scope), key), null, operation);
  }

  /** Makes unknown ones until they are refused. */
  private int unknownsOf(String principal, String scope, String operation) {
    for (int made = 0; ; made++) {
      Ask ask = ask(principal, scope, operation);
      Claimed claimed = store.claim(ask, HOUR);
      if (!(claimed instanceof Claimed.Started)) {
        assertThat(claimed).isEqualTo(TOO_MANY);
        return made;
      }
      store.unknown(ask.id(), 1, "why");
    }
  }

  @Test
  void operationThatFailsDoesNotShutTheOthers() {
    store.unknown(started(ask("", "", "mail")).id(), 1, "why");
    assertThat(unknownsOf("", "", "charge")).isEqualTo(49);
    for (int i = 0; i < 5; i++) {
      assertThat(store.claim(ask("", "", "mail"), HOUR)).isEqualTo(new Claimed.Started(1));
      assertThat(store.claim(ask("", "berlin", "charge"), HOUR)).isEqualTo(new Claimed.Started(1));
    }
    assertThat(store.claim(ask("", "", "charge"), HOUR)).isEqualTo(TOO_MANY);
  }

  /** Whoever can choose scopes would find a fresh one each time. */
  @Test
  void principalWithManyScopesIsRefusedAtThreeQuarters() {
    int made = 0;
    Ask ask = ask("mallory", "s0", "charge");
    while (store.claim(ask, HOUR) instanceof Claimed.Started) {
      store.unknown(ask.id(), 1, "why");
      made++;
      ask = ask("mallory", "s" + made, "charge");
    }
    assertThat(made).isEqualTo(75);
    assertThat(store.claim(ask, HOUR)).isEqualTo(TOO_MANY);
    for (int i = 0; i < 25; i++) {
      assertThat(store.claim(ask("alice", "", "charge"), HOUR)).isEqualTo(new Claimed.Started(1));
    }
  }

  @Test
  void nothingIsLeftOfOnesThatAreResolved() {
    List<GuardedId> ids = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      GuardedId id = started(ask("p" + i % 3, "s" + i % 5, "charge")).id();
      store.unknown(id, 1, "why");
      ids.add(id);
    }
    assertThat(store.unknownShare()).isEqualTo(1.2);
    ids.forEach(id -> store.done(id, 1, Reply.ok("found")));
    assertThat(store.unknownShare()).isZero();
    assertThat(store.claim(ask("p0", "s0", "charge"), HOUR)).isEqualTo(new Claimed.Started(1));
  }

  @Test
  void listenerIsToldOnceBeforeAnythingIsRefused() {
    List<Double> alarms = new ArrayList<>();
    GuardListener listener =
        new GuardListener() {
          @Override
          public void ruled(Ask ask, Ruling ruling, long nanos) {}

          @Override
          public void unknownsPileUp(double share) {
            alarms.add(share);
            throw new IllegalStateException("costs nobody the reply");
          }
        };
    Guard guard = Guard.on(store).listener(listener).build();
    Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
    try {
      for (int i = 0; i < 50; i++) {
        assertThat(alarms).as("%s unknown", i).hasSize(i < 40 ? 0 : 1);
        assertThat(guard.decide(ask("", "", "charge"), UnknownShareTest::fail))
            .isInstanceOf(Ruling.Unknown.class);
      }
      assertThat(alarms).containsExactly(0.8);
      assertThat(guard.decide(ask("", "", "charge"), UnknownShareTest::fail))
          .isEqualTo(new Ruling.Refused(Refusal.OVERLOADED, "unknown requests"));

      for (UnknownRequest each : guard.unknowns(20)) {
        guard.resolve(each.id(), each.fence(), new Finding.Happened(Reply.ok("found")));
      }
      for (int i = 0; i < 15; i++) {
        guard.decide(ask("", "", "charge"), UnknownShareTest::fail);
      }
      assertThat(alarms).as("they were fewer between").containsExactly(0.8, 0.8);
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
      guard.close();
    }
  }

  @Test
  void refusalSaysHowTheQueueIsEmptied() {
    unknownsOf("", "", "charge");
    try (Once<String> once = Once.on(store, Codec.text()).operation("charge").build()) {
      assertThatThrownBy(() -> once.execute(GuardedId.of(Key.text("new")), null, () -> "paid"))
          .isInstanceOf(RefusedByGuardException.class)
          .hasMessageContaining("unknown requests", "Guard.unknowns", "Guard.resolve");
    }
  }

  private static Reply fail(Run run) {
    throw new IllegalStateException("nobody mapped this");
  }

  private Ask started(Ask ask) {
    assertThat(store.claim(ask, HOUR)).isEqualTo(new Claimed.Started(1));
    return ask;
  }
}
