package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.client.ClusterStore;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.testkit.stores.OutcomeContract;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store in a cluster tells outcomes, abandons, releases replies and forgets as others do. */
class ClusterStoreOutcomesTest extends OutcomeContract {
  private static final Ruling UNDATED = new Ruling.Refused(Refusal.UNDATED, "");
  private static final Ruling PAID = new Ruling.Replied(Reply.ok("paid"), false);
  private static final Ruling REPLAY = new Ruling.Replied(Reply.ok("paid"), true);
  @TempDir private static Path folder;
  private static LoneServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new LoneServer(folder.resolve("node"), ServiceDirectory.shipped());
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  protected ClaimStore freshStore() {
    return server.emptyStore();
  }

  @Override
  protected void passTime(Duration atLeast) {
    LoneServer.passTime(atLeast);
  }

  /** More than one step of the log, and bounds that no clock will ever show. */
  @Test
  void forgettingTakesAsManyStepsAsItNeeds() {
    try (ClusterStore store = server.emptyStore();
        Guard guard = Guard.on(store).build()) {
      for (int i = 0; i < 1_001; i++) {
        store.abandon(GuardedId.of(Key.text("k" + i)), 3_600_000);
      }
      assertThat(guard.forget(Instant.MIN)).isZero();
      assertThat(guard.countOlderThan(Instant.MAX)).isEqualTo(1_001);
      assertThat(guard.forget(Instant.MAX)).isEqualTo(1_001);
      assertThat(guard.countOlderThan(Instant.MAX)).isZero();
    }
  }

  /** The setting of the cluster is in force for guards that know nothing of it. */
  @Test
  void scopesOfTheStoreTakeDatedKeysOnly() {
    Scope shop = new Scope("shop");
    try (ClusterStore store = server.emptyStore();
        Guard guard = Guard.on(store).build()) {
      Ask known = new Ask(new GuardedId("", shop, Key.text("known")), null, "charge");
      Ask fresh = new Ask(new GuardedId("", shop, Key.text("new")), null, "charge");
      assertThat(guard.decide(known, run -> Reply.ok("paid"))).isEqualTo(PAID);
      assertThat(store.datedOnly(shop, true)).isTrue();
      assertThat(store.datedOnly(shop, true)).isFalse();
      assertThat(guard.decide(known, run -> Reply.ok("again"))).isEqualTo(REPLAY);
      assertThat(guard.decide(fresh, run -> Reply.ok("paid"))).isEqualTo(UNDATED);
      assertThat(store.datedOnly(shop, false)).isTrue();
      assertThat(guard.decide(fresh, run -> Reply.ok("paid"))).isEqualTo(PAID);
    }
  }

  /** A guard's own setting asks the store first. */
  @Test
  void guardsOnThisStoreTakeDatedKeysOnly() {
    try (ClusterStore store = server.emptyStore();
        Guard guard = Guard.on(store).datedOnly(scope -> true).build()) {
      Ask fresh = new Ask(GuardedId.of(Key.text("new")), null, "charge");
      assertThat(guard.decide(fresh, run -> Reply.ok("paid"))).isEqualTo(UNDATED);
      long micros = System.currentTimeMillis() * 1_000;
      Ask dated = new Ask(GuardedId.of(Key.dated(micros, 1)), null, "charge");
      assertThat(guard.decide(dated, run -> Reply.ok("paid"))).isEqualTo(PAID);
    }
  }
}
