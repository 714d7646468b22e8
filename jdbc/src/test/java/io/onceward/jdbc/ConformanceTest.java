package io.onceward.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.testkit.conformance.GuardHome;
import io.onceward.testkit.conformance.Home;
import io.onceward.testkit.conformance.Scripts;
import io.onceward.testkit.conformance.Scripts.Script;
import io.onceward.testkit.conformance.Wish;
import io.onceward.testkit.conformance.Words;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The homes in PostgreSQL answer as all homes do. */
@Timeout(60)
class ConformanceTest {

  static List<Script> transaction() {
    return Scripts.of("transaction");
  }

  static List<Script> inPostgres() {
    return Scripts.of("guard-postgres");
  }

  @ParameterizedTest
  @MethodSource("transaction")
  void transactionConforms(Script script) {
    Scripts.play(script, TransactionHome::new);
  }

  @ParameterizedTest
  @MethodSource("inPostgres")
  void guardInPostgresConforms(Script script) {
    Scripts.play(
        script,
        () -> {
          Moved clock = new Moved(new HandMovedClock(new Bank()));
          return new GuardHome(JdbcClaimStore.on(clock.hand().dataSource()), clock, null);
        });
  }

  /** The clock of the database, and a scheduler that sweeps while the application is up. */
  private record Moved(HandMovedClock hand) implements GuardHome.Clock {
    @Override
    public Instant now() {
      return hand.now();
    }

    @Override
    public void pass(Duration time) {
      hand.pass(time);
      Sweeper.sweep(hand.dataSource(), 1_000, time);
    }

    @Override
    public void outage(Duration time) {
      hand.pass(time);
      Sweeper.sweep(hand.dataSource(), 1_000);
    }
  }

  /** Effects are rows in the same transaction as the memory. */
  private static final class TransactionHome implements Home {
    private final Bank bank = new Bank();
    private final Moved clock = new Moved(new HandMovedClock(bank));
    private final HikariDataSource pool = Bank.pool(clock.hand().dataSource(), 4);
    private final Set<Scope> datedOnly = ConcurrentHashMap.newKeySet();
    private final OnceTransaction once =
        OnceTransaction.on(pool).datedOnly(datedOnly::contains).build();

    @Override
    public String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish) {
      return Words.ruling(
          once.decide(
              new Ask(id, fingerprint, "wish"),
              connection -> {
                try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO entry (note) VALUES (?)")) {
                  insert.setString(1, wish);
                  insert.executeUpdate();
                }
                return Wish.of(wish).reply();
              }));
    }

    @Override
    public String outcome(GuardedId id) {
      return Words.outcome(once.outcome(id));
    }

    @Override
    public String abandon(GuardedId id) {
      return Words.abandoned(once.abandon(id));
    }

    @Override
    public String acknowledge(GuardedId id) {
      once.acknowledge(id);
      return "done";
    }

    @Override
    public void datedOnly(Scope scope) {
      datedOnly.add(scope);
    }

    @Override
    public long countOlderThan(Instant moment) {
      return once.countOlderThan(moment);
    }

    @Override
    public long forget(Instant moment) {
      return once.forget(moment);
    }

    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public void pass(Duration time) {
      clock.pass(time);
    }

    @Override
    public void outage(Duration time) {
      clock.outage(time);
    }

    @Override
    public int effects(String wish) {
      return Integer.parseInt(
          bank.ask("SELECT count(*) FROM entry WHERE note = '" + wish.replace("'", "''") + "'"));
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
