package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies of one request that come at the same time (E4, G5). */
class DuplicatesAtOnceTest {
  private final Bank bank = new Bank();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void stop() {
    goOn.countDown();
    threads.shutdown();
  }

  private Work heldTransfer() {
    return connection -> {
      runs.incrementAndGet();
      Bank.move(connection, 10);
      running.countDown();
      goOn.await();
      return Reply.ok("moved 10");
    };
  }

  private static Ruling get(Future<Ruling> ruling) throws Exception {
    return ruling.get(30, TimeUnit.SECONDS);
  }

  @Test
  void sixtyFourDuplicatesOnAPoolOfFourExecuteOnceAndLeaveThePoolToOthers() throws Exception {
    try (HikariDataSource pool = Bank.pool(bank.dataSource(), 4)) {
      OnceTransaction once = OnceTransaction.on(pool).build();
      List<Future<Ruling>> copies = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        copies.add(threads.submit(() -> once.decide(asking("a"), heldTransfer())));
      }
      running.await();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
      assertThat(once.decide(asking("unrelated"), connection -> Reply.ok("through")))
          .isEqualTo(new Ruling.Replied(Reply.ok("through"), false));
      assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection()).isZero();
      goOn.countDown();
      int replays = 0;
      for (Future<Ruling> copy : copies) {
        Ruling.Replied replied = (Ruling.Replied) get(copy);
        assertThat(replied.reply()).isEqualTo(Reply.ok("moved 10"));
        replays += replied.replay() ? 1 : 0;
      }
      assertThat(replays).isEqualTo(63);
      assertThat(runs).hasValue(1);
      assertThat(bank.balance("bob")).isEqualTo(10);
    }
  }

  @Test
  void aDuplicateInAnotherProcessWaitsOnTheRowAndReplays() throws Exception {
    OnceTransaction here = bank.builder().build();
    OnceTransaction there = bank.builder().build();
    Future<Ruling> first = threads.submit(() -> here.decide(asking("a"), heldTransfer()));
    running.await();
    Future<Ruling> second = threads.submit(() -> there.decide(asking("a"), heldTransfer()));
    Eventually.until("the duplicate waits on the row", () -> bank.waiting() == 1);
    goOn.countDown();
    assertThat(get(first)).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(get(second)).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(runs).hasValue(1);
  }

  @Test
  void aDuplicateInAnotherProcessRunsIfTheFirstOneRolledBack() throws Exception {
    OnceTransaction here = bank.builder().build();
    OnceTransaction there = bank.builder().build();
    Future<Ruling> first =
        threads.submit(
            () ->
                here.decide(
                    asking("a"),
                    connection -> {
                      running.countDown();
                      goOn.await();
                      throw new IllegalArgumentException("bug");
                    }));
    running.await();
    Future<Ruling> second = threads.submit(() -> there.decide(asking("a"), transfer(10)));
    Eventually.until("the duplicate waits on the row", () -> bank.waiting() == 1);
    goOn.countDown();
    assertThat(get(first)).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(get(second)).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void aDuplicateInThisProcessRunsIfTheFirstOneRolledBack() throws Exception {
    OnceTransaction once = bank.builder().build();
    Future<Ruling> first =
        threads.submit(
            () ->
                once.decide(
                    asking("a"),
                    connection -> {
                      running.countDown();
                      goOn.await();
                      throw new IllegalArgumentException("bug");
                    }));
    running.await();
    Future<Ruling> second = threads.submit(() -> once.decide(asking("a"), transfer(10)));
    goOn.countDown();
    assertThat(get(first)).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(get(second)).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void whoWaitsTooLongIsToldThatItIsInProgress() throws Exception {
    OnceTransaction here = bank.builder().waitAtMost(Duration.ofMillis(50)).build();
    OnceTransaction there = bank.builder().waitAtMost(Duration.ofMillis(50)).build();
    Future<Ruling> first = threads.submit(() -> here.decide(asking("a"), heldTransfer()));
    running.await();
    assertThat(here.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.InProgress.class);
    assertThat(there.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.InProgress.class);
    goOn.countDown();
    assertThat(get(first)).isInstanceOf(Ruling.Replied.class);
    assertThat(there.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  /** Execution 18: the same id at the same time for something else. */
  @Test
  void aTwinWithAnotherFingerprintIsNotGivenTheReply() throws Exception {
    OnceTransaction once = bank.builder().build();
    Future<Ruling> first = threads.submit(() -> once.decide(asking("a"), heldTransfer()));
    running.await();
    Ask other = new Ask(asking("a").id(), new Fingerprint(-1), "transfer");
    Future<Ruling> second = threads.submit(() -> once.decide(other, transfer(50)));
    goOn.countDown();
    assertThat(get(first)).isInstanceOf(Ruling.Replied.class);
    assertThat(get(second)).isEqualTo(new Ruling.Refused(Refusal.MISMATCH, ""));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  /** A cache that is filled before the commit would hand this reply out. */
  @Test
  void nobodyIsGivenAReplyWhoseCommitFails() throws Exception {
    bank.run("CREATE TABLE once (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    bank.run("INSERT INTO once VALUES ('taken')");
    OnceTransaction once = bank.builder().build();
    Future<Ruling> first =
        threads.submit(
            () ->
                once.decide(
                    asking("a"),
                    connection -> {
                      Bank.run(connection, "INSERT INTO once VALUES ('taken')");
                      running.countDown();
                      goOn.await();
                      return Reply.ok("too early");
                    }));
    running.await();
    CompletableFuture<Ruling> second =
        CompletableFuture.supplyAsync(
            () -> once.decide(asking("a"), connection -> Reply.ok("in time")), threads);
    goOn.countDown();
    assertThat(get(first)).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(get(second)).isEqualTo(new Ruling.Replied(Reply.ok("in time"), false));
  }
}
