package io.onceward.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.Bytes;
import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.testkit.world.Dice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Transactions under concurrent traffic, through all doors and two processes, with backends that
 * are killed, deadlocks, sweeps and abandonments. At the end the table of effects is counted.
 */
class TransactionTrafficTest {
  private static final int SEEDS = 4;
  private static final int THREADS = 4;
  private static final int STEPS = 40;

  private static final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  private final Bank bank = new Bank();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicLong killed = new AtomicLong();
  private final Map<GuardedId, Reply> told = new ConcurrentHashMap<>();
  private final Set<GuardedId> closed = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private final List<GuardedId> ids = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void everyRequestTakesEffectOnceAndIsToldTheSame(String isolation) throws Exception {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    source.setApplicationName("transactions");
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (HikariDataSource here = Bank.pool(source, 4);
          HikariDataSource there = Bank.pool(source, 4)) {
        run(seed, here, there);
      }
      for (GuardedId id : ids) {
        settled(on(bank.dataSource()), id);
      }
      assertThat(violations).as("seed " + seed + " at " + isolation).isEmpty();
    }
    assertThat(killed).hasPositiveValue();
    assertThat(told).isNotEmpty();
  }

  private static OnceTransaction on(DataSource source) {
    return OnceTransaction.on(source)
        .waitAtMost(Duration.ofMillis(200))
        .retryEvery(Duration.ofMillis(1))
        .classify(e -> e instanceof Declined ? Meaning.BUSINESS_ERROR : Meaning.DID_NOT_HAPPEN)
        .businessReply(e -> Bytes.utf8(String.valueOf(e.getMessage())))
        .build();
  }

  private void run(long seed, DataSource here, DataSource there) throws Exception {
    ids.clear();
    DatedIds dated = new DatedIds();
    for (int i = 0; i < 4; i++) {
      ids.add(GuardedId.of("seed " + seed, Key.text("order " + i)));
      ids.add(GuardedId.of("seed " + seed, dated.next()));
    }
    OnceTransaction one = on(here);
    OnceTransaction other = on(there);
    AtomicBoolean over = new AtomicBoolean();
    Thread killer = new Thread(() -> kill(over));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Dice dice = new Dice(seed * THREADS + i);
      OnceTransaction once = i % 2 == 0 ? one : other;
      DataSource source = i % 2 == 0 ? here : there;
      Thread thread = new Thread(() -> traffic(dice, once, source));
      threads.add(thread);
      thread.start();
    }
    killer.start();
    for (Thread thread : threads) {
      thread.join();
    }
    over.set(true);
    killer.join();
  }

  private void kill(AtomicBoolean over) {
    while (!over.get()) {
      killed.addAndGet(
          bank.number(
              "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity"
                  + " WHERE application_name = 'transactions' AND xact_start IS NOT NULL"
                  + " ORDER BY random() LIMIT 1) one, pg_sleep(0.02)"));
    }
  }

  private void traffic(Dice dice, OnceTransaction once, DataSource source) {
    for (int step = 0; step < STEPS; step++) {
      GuardedId id = dice.pick(ids);
      try {
        switch (dice.below(12)) {
          case 0 -> {
            if (once.abandon(id) instanceof GuardedAbandonment.Closed) {
              closed.add(id);
            }
          }
          case 1 -> Sweeper.sweep(source, 10);
          default -> hear(id, decide(dice, once, source, id));
        }
      } catch (StoreUnavailableException e) {
        // Its connection was killed.
      } catch (Exception e) {
        violations.add(id + ": " + e);
      }
    }
  }

  private Ruling decide(Dice dice, OnceTransaction once, DataSource source, GuardedId id) {
    Ask ask = new Ask(id, null, "book");
    int plan = dice.below(8);
    Work work = connection -> book(connection, id, plan);
    return dice.perMille(500)
        ? once.decide(ask, work)
        : once.decide(ask, work, inside -> runner(source, inside, plan));
  }

  /** Somebody else's transactions; now and then something behind the commit fails. */
  private static Ruling runner(DataSource source, TransactionRunner.Inside inside, int plan)
      throws Exception {
    Ruling ruling;
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        ruling = inside.decide(connection);
        connection.commit();
      } catch (Exception e) {
        connection.rollback();
        throw e;
      }
    }
    if (plan == 7 && ruling instanceof Ruling.Replied replied && !replied.replay()) {
      throw new IllegalStateException("behind the commit");
    }
    return ruling;
  }

  private Reply book(Connection connection, GuardedId id, int plan) throws Exception {
    String run = id.scope().name() + " " + id.key() + " run " + runs.incrementAndGet();
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO entry (note) VALUES (?)")) {
      statement.setString(1, run);
      statement.execute();
    }
    if (plan == 0) {
      throw new Declined(run);
    }
    if (plan == 1) {
      throw new IllegalStateException("bug");
    }
    // All take these two rows, half of them in the other order: some deadlock.
    Bank.update(connection, update(plan % 2 == 0 ? "alice" : "bob"), 0);
    Bank.update(connection, update(plan % 2 == 0 ? "bob" : "alice"), 0);
    return Reply.ok(run);
  }

  private static String update(String name) {
    return "UPDATE account SET balance = balance + ? WHERE name = '" + name + "'";
  }

  private void hear(GuardedId id, Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied) {
      Reply before = told.putIfAbsent(id, replied.reply());
      if (before != null && !before.equals(replied.reply())) {
        violations.add(id + " was told " + before + " and then " + replied.reply());
      }
    } else if (ruling instanceof Ruling.Refused refused && refused.refusal() != Refusal.ABANDONED) {
      violations.add(id + " was refused as " + refused.refusal());
    }
  }

  /** What stands is what was told, and the table of effects agrees. */
  private void settled(OnceTransaction once, GuardedId id) throws Exception {
    GuardedOutcome outcome = once.outcome(id);
    List<String> effects = effects(id);
    Reply reply = told.get(id);
    boolean fits;
    if (outcome instanceof GuardedOutcome.Executed executed) {
      Reply stands = executed.reply();
      fits =
          (reply == null || reply.equals(stands))
              && effects.equals(
                  stands.kind() == Reply.Kind.OK ? List.of(stands.bytes().asText()) : List.of());
    } else {
      fits = reply == null && effects.isEmpty();
    }
    if (!fits || closed.contains(id) && !(outcome instanceof GuardedOutcome.Abandoned)) {
      violations.add(id + " stands as " + outcome + ", was told " + reply + ", did " + effects);
    }
  }

  private List<String> effects(GuardedId id) throws Exception {
    List<String> effects = new ArrayList<>();
    try (Connection connection = bank.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT note FROM entry WHERE starts_with(note, ?)")) {
      statement.setString(1, id.scope().name() + " " + id.key() + " run ");
      try (var row = statement.executeQuery()) {
        while (row.next()) {
          effects.add(row.getString(1));
        }
      }
    }
    return effects;
  }
}
