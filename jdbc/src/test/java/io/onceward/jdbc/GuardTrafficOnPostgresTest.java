package io.onceward.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.testkit.guards.GuardTraffic;
import io.onceward.testkit.world.Dice;
import io.onceward.testpostgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Guards on PostgreSQL under concurrent traffic, with connections and servers that are killed, and
 * an auditor, whom planted mistakes do not escape.
 */
class GuardTrafficOnPostgresTest {
  private static final int SEEDS = 12;
  private static final int SEEDS_FOR_A_MISTAKE = 200;
  private static final int SEEDS_WITH_CRASHES = 3;
  private static final int STEPS = 60;
  private static final int CONNECTIONS = 6;

  private final Bank bank = new Bank();
  private final HandMovedClock clock = new HandMovedClock(bank);

  @Test
  void nothingIsWrongWithTheStore() throws Exception {
    try (HikariDataSource pool = Bank.pool(clock.dataSource(), CONNECTIONS)) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        clock.reset();
        assertThat(
                new GuardTraffic(seed, JdbcClaimStore.on(pool), clock::pass, false)
                    .violations(STEPS))
            .as("seed " + seed)
            .isEmpty();
      }
    }
  }

  @Test
  void nothingIsWrongWithTheStoreWhoseConnectionsAreKilled() throws Exception {
    clock.dataSource().setApplicationName("traffic");
    AtomicLong killed = new AtomicLong();
    try (HikariDataSource pool = Bank.pool(clock.dataSource(), CONNECTIONS)) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        clock.reset();
        GuardTraffic traffic = new GuardTraffic(seed, JdbcClaimStore.on(pool), clock::pass, true);
        AtomicBoolean over = new AtomicBoolean();
        Thread killer =
            new Thread(
                () -> {
                  while (!over.get()) {
                    killed.addAndGet(
                        bank.number(
                            "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM"
                                + " pg_stat_activity WHERE application_name = 'traffic' AND state ="
                                + " 'active' ORDER BY random() LIMIT 1) one"));
                  }
                });
        killer.start();
        try {
          assertThat(
                  traffic.violationsOf(
                      STEPS,
                      () -> {
                        stop(over, killer);
                        killed.addAndGet(killAll());
                      }))
              .as("seed " + seed)
              .isEmpty();
        } finally {
          stop(over, killer);
        }
      }
    }
    assertThat(killed).hasPositiveValue();
  }

  @Test
  void nothingIsWrongWithTheStoreWhoseServerIsKilled() throws Exception {
    assertThat(underCrashes(null, SEEDS_WITH_CRASHES))
        .allSatisfy(violations -> assertThat(violations).isEmpty());
  }

  @Test
  void whatACrashTakesIsNoticed() throws Exception {
    assertThat(underCrashes(StoreMeddler.Bug.COMMITS_ASYNCHRONOUSLY, SEEDS_FOR_A_MISTAKE))
        .anySatisfy(violations -> assertThat(violations).isNotEmpty());
  }

  /** By seeds, up to the first that has any; of users whose own SQL need not be durable. */
  private static List<List<String>> underCrashes(StoreMeddler.@Nullable Bug bug, int seeds)
      throws Exception {
    List<List<String>> all = new ArrayList<>();
    try (PostgresServer server = PostgresServer.startForTests()) {
      HandMovedClock itsClock = new HandMovedClock(new Bank(server));
      itsClock.dataSource().setOptions("-c synchronous_commit=off");
      StatementCount statements = new StatementCount();
      try (HikariDataSource pool =
          Bank.pool(
              Meddled.of(itsClock.dataSource(), new StoreMeddler(bug, statements)), CONNECTIONS)) {
        boolean found = false;
        int crashes = 0;
        for (long seed = 1; seed <= seeds && !found; seed++) {
          itsClock.reset();
          GuardTraffic traffic =
              new GuardTraffic(seed, JdbcClaimStore.on(pool), itsClock::pass, true);
          try (Crashes killer = new Crashes(server, new Dice(seed), statements)) {
            all.add(traffic.violationsOf(STEPS, killer::close));
            crashes += killer.count();
          }
          found = !all.get(all.size() - 1).isEmpty();
        }
        assertThat(crashes).isGreaterThanOrEqualTo(all.size());
      }
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreMeddler.Bug.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "COMMITS_ASYNCHRONOUSLY")
  void plantedMistakeIsCaught(StoreMeddler.Bug bug) throws Exception {
    boolean caught = false;
    try (HikariDataSource pool =
        Bank.pool(
            Meddled.of(clock.dataSource(), new StoreMeddler(bug, new StatementCount())),
            CONNECTIONS)) {
      for (long seed = 1; seed <= SEEDS_FOR_A_MISTAKE && !caught; seed++) {
        clock.reset();
        caught =
            !new GuardTraffic(seed, JdbcClaimStore.on(pool), clock::pass, false)
                .violations(STEPS)
                .isEmpty();
      }
    }
    assertThat(caught).as(bug + " in " + SEEDS_FOR_A_MISTAKE + " seeds").isTrue();
  }

  /** The pool learns of it only when it is used. */
  private long killAll() {
    return bank.number(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE application_name = 'traffic'");
  }

  private static void stop(AtomicBoolean over, Thread killer) throws InterruptedException {
    over.set(true);
    killer.join();
  }
}
