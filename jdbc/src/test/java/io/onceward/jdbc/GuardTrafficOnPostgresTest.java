package io.onceward.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.testkit.guards.GuardTraffic;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Guards on PostgreSQL under concurrent traffic, with connections that are killed, and an auditor.
 */
class GuardTrafficOnPostgresTest {
  private static final int SEEDS = 12;
  private static final int STEPS = 30;

  private final Bank bank = new Bank();
  private final HandMovedClock clock = new HandMovedClock(bank);

  @Test
  void nothingIsWrongWithTheStore() throws Exception {
    try (HikariDataSource pool = Bank.pool(clock.dataSource(), 6)) {
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
    try (HikariDataSource pool = Bank.pool(clock.dataSource(), 6)) {
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
