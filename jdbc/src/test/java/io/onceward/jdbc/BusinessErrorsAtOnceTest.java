package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Reply;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A business error holds its claim until it is recorded: copies in other processes wait for it, and
 * none of them runs (G5).
 */
class BusinessErrorsAtOnceTest {
  private final Bank bank = new Bank();
  private final AtomicInteger runs = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** One like this is in another process, as far as the database can tell. */
  private OnceTransaction process(String isolation) {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    return OnceTransaction.on(source)
        .retryEvery(Duration.ofMillis(1))
        .attempts(100)
        .classify(e -> Meaning.BUSINESS_ERROR)
        .build();
  }

  private Work failing(CountDownLatch running, CountDownLatch goOn) {
    return connection -> {
      Bank.note(connection, "undone");
      int run = runs.incrementAndGet();
      running.countDown();
      goOn.await();
      throw new IllegalArgumentException("run " + run);
    };
  }

  /** Whoever gives the claim up before the reply is written gives a copy time enough to run. */
  private void recordSlowly() {
    bank.run(
        """
        CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END$$
        """);
    bank.run(
        """
        CREATE TRIGGER slowly BEFORE INSERT OR UPDATE ON onceward_request
        FOR EACH ROW WHEN (NEW.reply IS NOT NULL) EXECUTE FUNCTION slowly()
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void aCopyThatWaitsForABusinessErrorIsToldTheSame(String isolation) throws Exception {
    recordSlowly();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    OnceTransaction here = process(isolation);
    OnceTransaction there = process(isolation);
    Future<Ruling> first = threads.submit(() -> here.decide(asking("a"), failing(running, goOn)));
    running.await();
    Future<Ruling> second = threads.submit(() -> there.decide(asking("a"), failing(running, goOn)));
    Eventually.until("the copy waits", () -> bank.waiting() == 1);
    goOn.countDown();
    assertThat(reply(first)).isEqualTo(reply(second));
    assertThat(runs).hasValue(1);
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "serializable"})
  void copiesThatRaceForABusinessErrorAreAllToldTheSame(String isolation) throws Exception {
    CountDownLatch open = new CountDownLatch(0);
    List<OnceTransaction> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(process(isolation));
    }
    for (int request = 0; request < 30; request++) {
      String key = "request " + request;
      List<Future<Ruling>> copies = new ArrayList<>();
      for (OnceTransaction process : processes) {
        copies.add(threads.submit(() -> process.decide(asking(key), failing(open, open))));
      }
      Reply first = reply(copies.get(0));
      for (Future<Ruling> copy : copies) {
        assertThat(reply(copy)).isEqualTo(first);
      }
    }
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isEqualTo(30);
  }

  private static Reply reply(Future<Ruling> copy) throws Exception {
    Ruling ruling = copy.get(30, TimeUnit.SECONDS);
    assertThat(ruling).isInstanceOf(Ruling.Replied.class);
    return ((Ruling.Replied) ruling).reply();
  }
}
