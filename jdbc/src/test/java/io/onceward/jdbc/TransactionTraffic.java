package io.onceward.jdbc;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.testkit.world.Dice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * One seed of concurrent traffic through both doors of {@link OnceTransaction}, in two processes:
 * copies of a few requests that succeed, are refused, fail, deadlock, or meet a duplicate key of
 * their own; sweeps, and abandonments.
 */
final class TransactionTraffic {
  private static final int THREADS = 4;
  private static final int STEPS = 40;
  private static final int REQUESTS_OF_EACH_KIND = 10;
  private static final int SHORT_MILLIS = 2_000;
  private static final Fingerprint TRUE = new Fingerprint(1);
  private static final Fingerprint OTHER = new Fingerprint(2);

  private static final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  private static final class BehindTheCommit extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** One process: its pool, and its transactions for undated and for dated keys. */
  private record Application(DataSource pool, OnceTransaction undated, OnceTransaction dated) {
    OnceTransaction of(GuardedId id) {
      return id.key().isDated() ? dated : undated;
    }
  }

  private final Bank bank;
  private final HandMovedClock clock;
  private final long seed;
  private final AtomicInteger runs = new AtomicInteger();
  private final List<GuardedId> ids = new ArrayList<>();
  private final TransactionAuditor auditor = new TransactionAuditor();

  TransactionTraffic(Bank bank, HandMovedClock clock, long seed) {
    this.bank = bank;
    this.clock = clock;
    this.seed = seed;
    long now = System.currentTimeMillis() * 1_000;
    for (int i = 0; i < REQUESTS_OF_EACH_KIND; i++) {
      Scope scope = new Scope("seed " + seed);
      ids.add(new GuardedId("", scope, Key.text("order " + i)));
      ids.add(new GuardedId("", scope, Key.dated(now - i * 1_000_000L, i)));
    }
  }

  private static OnceTransaction on(DataSource source, Duration retention) {
    OnceTransactionBuilder builder = builder(source, retention);
    while (true) {
      try {
        return builder.build();
      } catch (StoreUnavailableException e) {
        // Its connection was killed; those of a pool that are dead run out.
      }
    }
  }

  private static OnceTransactionBuilder builder(DataSource source, Duration retention) {
    return OnceTransaction.on(source)
        .retention(retention)
        .waitAtMost(Duration.ofMillis(200))
        .retryEvery(Duration.ofMillis(1))
        .classify(e -> e instanceof Declined ? Meaning.BUSINESS_ERROR : Meaning.DID_NOT_HAPPEN)
        .businessReply(e -> Bytes.utf8(String.valueOf(e.getMessage())));
  }

  private static Application process(DataSource pool) {
    return new Application(
        pool, on(pool, Duration.ofDays(1_000)), on(pool, Duration.ofMillis(SHORT_MILLIS)));
  }

  /** Ends what troubles the database. */
  interface Healing {
    void heal() throws Exception;
  }

  /**
   * Runs it to its end, and looks at what is left when the database is healed.
   *
   * @return what does not fit, or nothing
   */
  List<String> violations(DataSource here, DataSource there, Healing healing) throws Exception {
    List<Thread> threads = new ArrayList<>();
    Application one = process(here);
    Application other = process(there);
    for (int i = 0; i < THREADS; i++) {
      Dice dice = new Dice(seed * THREADS + i);
      Application process = i % 2 == 0 ? one : other;
      threads.add(new Thread(() -> traffic(dice, process), "traffic-" + i));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    healing.heal();
    OnceTransaction looking = OnceTransaction.on(clock.dataSource()).build();
    for (GuardedId id : ids) {
      auditor.stands(id, looking.outcome(id), effects(id));
    }
    return auditor.violations();
  }

  private void traffic(Dice dice, Application process) {
    for (int step = 0; step < STEPS; step++) {
      GuardedId id = dice.pick(ids);
      try {
        switch (dice.below(13)) {
          case 0 -> abandon(process.of(id), id);
          case 1 -> {
            clock.pass(Duration.ofMillis(dice.between(1, SHORT_MILLIS)));
            auditor.sweeps();
            Sweeper.sweep(process.pool(), 10);
          }
          case 2 -> decide(dice, process, id, auditor.wasTold(id));
          default -> decide(dice, process, id, false);
        }
      } catch (StoreUnavailableException e) {
        // Its connection was killed, or the server.
      } catch (Exception e) {
        auditor.violated(id, e.toString());
      }
    }
  }

  private void abandon(OnceTransaction once, GuardedId id) {
    auditor.isBeingClosed(id);
    if (once.abandon(id) instanceof GuardedAbandonment.Closed) {
      auditor.closed(id);
    }
  }

  private void decide(Dice dice, Application process, GuardedId id, boolean otherPayload) {
    Ask ask = new Ask(id, otherPayload ? OTHER : TRUE, "book");
    int plan = dice.below(8);
    List<String> ran = new ArrayList<>();
    Work work = connection -> book(connection, id, plan, ran);
    OnceTransaction once = process.of(id);
    Ruling ruling =
        dice.perMille(500)
            ? once.decide(ask, work)
            : once.decide(ask, work, inside -> runner(process.pool(), inside, plan));
    auditor.told(id, ruling, otherPayload, ran);
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
        rollBack(connection, e);
        throw e;
      }
    }
    if (plan == 7 && ruling instanceof Ruling.Replied replied && !replied.replay()) {
      throw new BehindTheCommit();
    }
    return ruling;
  }

  /** What a dead connection says of it must not hide why. */
  private static void rollBack(Connection connection, Exception because) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  private Reply book(Connection connection, GuardedId id, int plan, List<String> ran)
      throws Exception {
    String run = prefix(id) + runs.incrementAndGet();
    ran.add(run);
    Bank.note(connection, run);
    switch (plan) {
      case 0 -> throw new Declined(run);
      case 1 -> throw new IllegalStateException("bug");
      case 2 -> {
        // A duplicate key, which has nothing to do with copies.
        try (PreparedStatement statement =
            connection.prepareStatement("INSERT INTO account VALUES (?, 0)")) {
          statement.setString(1, "alice");
          statement.execute();
        }
      }
      default -> {
        // All take these two rows, half of them in the other order: some deadlock.
        Bank.update(connection, update(plan % 2 == 0 ? "alice" : "bob"), 0);
        Bank.update(connection, update(plan % 2 == 0 ? "bob" : "alice"), 0);
      }
    }
    return Reply.ok(run);
  }

  private static String update(String name) {
    return "UPDATE account SET balance = balance + ? WHERE name = '" + name + "'";
  }

  static String prefix(GuardedId id) {
    return id.scope().name() + " " + id.key() + " run ";
  }

  private List<String> effects(GuardedId id) throws Exception {
    List<String> effects = new ArrayList<>();
    try (Connection connection = bank.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT note FROM entry WHERE starts_with(note, ?)")) {
      statement.setString(1, prefix(id));
      try (var row = statement.executeQuery()) {
        while (row.next()) {
          effects.add(row.getString(1));
        }
      }
    }
    return effects;
  }

  /** Whether anybody was given a reply. */
  boolean wasTold() {
    return ids.stream().anyMatch(auditor::wasTold);
  }
}
