package io.onceward.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.testkit.world.Dice;
import io.onceward.testpostgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Transactions under concurrent traffic, with lost commits, backends and servers that are killed,
 * and an auditor, of whom it is shown that planted mistakes do not escape him.
 */
class TransactionTrafficTest {
  private static final int SEEDS = 4;
  private static final int SEEDS_FOR_A_MISTAKE = 60;
  private static final int SEEDS_WITH_CRASHES = 3;
  private static final List<String> ISOLATIONS =
      List.of("read committed", "repeatable read", "serializable");

  /** A database, its clock, and how its transactions are isolated. */
  private static final class World {
    final Bank bank;
    final HandMovedClock clock;
    final StatementCount statements = new StatementCount();

    World(PostgresServer server) {
      bank = new Bank(server);
      clock = new HandMovedClock(bank);
    }

    /** Pools of two processes, as they are troubled by one meddler. */
    List<String> violations(
        long seed,
        String isolation,
        @Nullable TransactionBug bug,
        TransactionTraffic.Healing healing)
        throws Exception {
      clock.reset();
      PGSimpleDataSource source = clock.dataSource();
      // Of users whose own SQL need not be durable.
      source.setOptions(
          "-c synchronous_commit=off -c default_transaction_isolation="
              + isolation.replace(" ", "\\ "));
      source.setApplicationName("transactions");
      DataSource meddled =
          Meddled.of(
              source, new TransactionMeddler(bug, new Dice(seed), bank.dataSource(), statements));
      try (HikariDataSource here = Bank.pool(meddled, 4);
          HikariDataSource there = Bank.pool(meddled, 4)) {
        return new TransactionTraffic(bank, clock, seed).violations(here, there, healing);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void everyRequestTakesEffectOnceThoughBackendsAreKilled(String isolation) throws Exception {
    World world = new World(PostgresServer.shared());
    AtomicLong killed = new AtomicLong();
    for (long seed = 1; seed <= SEEDS; seed++) {
      AtomicBoolean over = new AtomicBoolean();
      Thread killer = new Thread(() -> kill(world.bank, over, killed));
      killer.start();
      try {
        assertThat(world.violations(seed, isolation, null, () -> stop(over, killer)))
            .as("seed " + seed + " at " + isolation)
            .isEmpty();
      } finally {
        stop(over, killer);
      }
    }
    assertThat(killed).hasPositiveValue();
    assertThat(world.bank.entries()).isPositive();
  }

  private static void kill(Bank bank, AtomicBoolean over, AtomicLong killed) {
    while (!over.get()) {
      killed.addAndGet(
          bank.number(
              "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity"
                  + " WHERE application_name = 'transactions' AND xact_start IS NOT NULL"
                  + " ORDER BY random() LIMIT 1) one, pg_sleep(0.02)"));
    }
  }

  private static void stop(AtomicBoolean over, Thread killer) throws InterruptedException {
    over.set(true);
    killer.join();
  }

  @Test
  void everyRequestTakesEffectOnceThoughTheServerIsKilled() throws Exception {
    assertThat(underCrashes(null, SEEDS_WITH_CRASHES))
        .allSatisfy(violations -> assertThat(violations).isEmpty());
  }

  @Test
  void whatACrashTakesIsNoticed() throws Exception {
    assertThat(underCrashes(TransactionBug.COMMITS_ASYNCHRONOUSLY, SEEDS_FOR_A_MISTAKE))
        .anySatisfy(violations -> assertThat(violations).isNotEmpty());
  }

  /** By seeds, up to the first that has any. */
  private static List<List<String>> underCrashes(@Nullable TransactionBug bug, int seeds)
      throws Exception {
    List<List<String>> all = new ArrayList<>();
    try (PostgresServer server = PostgresServer.startForTests()) {
      World world = new World(server);
      boolean found = false;
      int crashes = 0;
      for (long seed = 1; seed <= seeds && !found; seed++) {
        String isolation = ISOLATIONS.get((int) (seed % ISOLATIONS.size()));
        try (Crashes killer = new Crashes(server, new Dice(seed), world.statements)) {
          all.add(world.violations(seed, isolation, bug, killer::close));
          crashes += killer.count();
        }
        found = !all.get(all.size() - 1).isEmpty();
      }
      assertThat(crashes).isGreaterThanOrEqualTo(all.size());
      assertThat(world.bank.entries()).isPositive();
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionBug.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "COMMITS_ASYNCHRONOUSLY")
  void plantedMistakeIsCaught(TransactionBug bug) throws Exception {
    World world = new World(PostgresServer.shared());
    boolean caught = false;
    for (long seed = 1; seed <= SEEDS_FOR_A_MISTAKE && !caught; seed++) {
      String isolation = ISOLATIONS.get((int) (seed % ISOLATIONS.size()));
      caught = !world.violations(seed, isolation, bug, () -> {}).isEmpty();
    }
    assertThat(caught).as(bug + " in " + SEEDS_FOR_A_MISTAKE + " seeds").isTrue();
  }
}
