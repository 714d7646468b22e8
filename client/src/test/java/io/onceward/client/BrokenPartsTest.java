package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static io.onceward.client.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Something that the client stands on throws: the network, an executor, a caller's function. */
class BrokenPartsTest {
  @TempDir Path folder;
  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final UnreliableTransport transport = new UnreliableTransport();
  private Onceward onceward;
  private Thread.UncaughtExceptionHandler handler;

  @BeforeEach
  void expectReports() {
    handler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
  }

  @AfterEach
  void close() {
    Thread.setDefaultUncaughtExceptionHandler(handler);
    if (onceward != null) {
      onceward.close();
    }
    node.close();
  }

  private Onceward.Builder builder() {
    return Onceward.builder()
        .address(node.address())
        .retryDelay(Duration.ofMillis(20))
        .answerTimeout(Duration.ofMillis(300));
  }

  private static Bytes add() {
    return CounterCommand.encode(new CounterCommand.Add("x", 1));
  }

  private static long value(Decided decided) {
    return CounterReply.decode(decided.bytes()).value();
  }

  private void failNextSendOf(String thread, Throwable failure) {
    AtomicReference<Throwable> once = new AtomicReference<>(failure);
    transport.beforeSend =
        message -> {
          if (Thread.currentThread().getName().equals(thread)) {
            Throwable next = once.getAndSet(null);
            if (next instanceof Error error) {
              throw error;
            } else if (next instanceof RuntimeException exception) {
              throw exception;
            }
          }
        };
  }

  @Test
  void failingSendIsALostCopyForItsCaller_C1() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    for (Throwable failure : List.of(new IllegalStateException("x"), new OutOfMemoryError("x"))) {
      failNextSendOf(Thread.currentThread().getName(), failure);
      join(session.submit("counter", add()));
    }
    assertThat(join(Counters.in(session).get("x"))).isEqualTo(2);
  }

  /** Whichever step towards a message fails, the copy is lost and asked again. */
  @Test
  void failureWhileAMessageIsMadeIsALostCopy_C1() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    for (int step = 1; step <= 8; step++) {
      AtomicInteger left = new AtomicInteger(step);
      transport.beforeReady =
          () -> {
            if (left.decrementAndGet() == 0) {
              throw new OutOfMemoryError("x");
            }
          };
      assertThat(value(join(session.submit("counter", add())))).isEqualTo(step);
    }
  }

  private void failNextReadyOf(String thread) {
    AtomicInteger left = new AtomicInteger(1);
    transport.beforeReady =
        () -> {
          if (Thread.currentThread().getName().equals(thread) && left.getAndDecrement() > 0) {
            throw new OutOfMemoryError("x");
          }
        };
  }

  /** The request is under way by then: a caller who hears of it would take it for not made. */
  @Test
  void failingThreadOfTheNetworkDoesNotReachCallers_C2() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    Keyed keyed = onceward.keyed();
    String caller = Thread.currentThread().getName();
    int added = 0;
    for (int failures = 1; failures <= 3; failures++) {
      for (int step = 0; step < 3; step++) {
        failNextExecutionsOf(caller, step, failures);
        CompletableFuture<Decided> ofSession = session.submit("counter", add());
        failNextExecutionsOf(caller, step, failures);
        CompletableFuture<Decided> ofKey = keyed.submit(keyed.newKey(), "counter", add());
        transport.beforeExecute = () -> {};
        join(ofSession);
        join(ofKey);
        added += 2;
      }
    }
    assertThat(join(Counters.in(session).get("x"))).isEqualTo(added);
  }

  /** Whoever is told that a connection has ended has to hear of it, or asks it for ever. */
  @Test
  void failingThreadOfTheNetworkHidesNoDeadConnection_C4() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    for (int failures = 1; failures <= 3; failures++) {
      failNextExecutionsOf("onceward-client", 0, failures);
      int streams = node.streams.get();
      node.hangUp();
      until("it connects anew", () -> node.streams.get() > streams);
      transport.beforeExecute = () -> {};
      assertThat(value(join(session.submit("counter", add())))).isEqualTo(failures);
    }
  }

  private void failNextExecutionsOf(String thread, int after, int failures) {
    AtomicInteger step = new AtomicInteger();
    transport.beforeExecute =
        () -> {
          if (Thread.currentThread().getName().equals(thread)) {
            int now = step.getAndIncrement();
            if (now >= after && now < after + failures) {
              throw new IllegalStateException("no thread");
            }
          }
        };
  }

  /** Nothing else would ask that node again: its answer is waited for. */
  @Test
  void probeThatCannotBeWrittenIsAskedAgain_C4() {
    failNextReadyOf("onceward-client");
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    assertThat(value(join(session.submit("counter", add())))).isEqualTo(1);
  }

  @Test
  void commandThatCannotBeWrittenIsAskedAgainAlthoughItMayBeSentOnce_E10() {
    onceward = builder().patience(Duration.ofSeconds(5)).build(transport);
    join(onceward.admin().status());
    failNextReadyOf(Thread.currentThread().getName());
    CounterReply reply = CounterReply.decode(join(onceward.unkeyed("counter", add())).bytes());
    assertThat(reply.value()).isEqualTo(1);
  }

  @Test
  void commandUnderWayIsNotSentAgainForWantOfATimer_E10() {
    onceward = builder().patience(Duration.ofSeconds(5)).build(transport);
    join(onceward.admin().status());
    // Behind the timer that the connection has had so far: it needs another one then.
    CompletableFuture<Void> rung = new CompletableFuture<>();
    transport.schedule(() -> rung.complete(null), 600);
    join(rung);
    AtomicInteger left = failExecuteOfThisThread(1);
    node.losesAnswer =
        (any, question) -> {
          boolean loses = FakeNode.requestOf(question) instanceof Request.Unkeyed;
          if (loses) {
            node.hangUp();
          }
          return loses;
        };
    assertThat(failure(onceward.unkeyed("counter", add()), OutcomeUnknownException.class))
        .isNotNull();
    assertThat(left.get()).as("the timer has failed").isZero();
    // On a machine that is busy for long, the connection may be given up before it arrives.
    assertThat(join(Counters.of(onceward.keyed()).get("x"))).isLessThanOrEqualTo(1);
  }

  /** Fails when this thread hands a task to the network's thread for the last of so many times. */
  private AtomicInteger failExecuteOfThisThread(int times) {
    Thread caller = Thread.currentThread();
    AtomicInteger left = new AtomicInteger(times);
    transport.beforeExecute =
        () -> {
          if (Thread.currentThread() == caller && left.get() > 0 && left.decrementAndGet() == 0) {
            throw new InternalError("unable to create native thread");
          }
        };
    return left;
  }

  @Test
  void requestUnderWayIsNotToldAsFailedForWantOfATimer_O3() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    Keyed keyed = onceward.keyed();
    for (int step = 1; step <= 4; step++) {
      failExecuteOfThisThread(step);
      CompletableFuture<Decided> inSession = session.submit("counter", add());
      failExecuteOfThisThread(step);
      CompletableFuture<Decided> underKey = keyed.submit(keyed.newKey(), "counter", add());
      transport.beforeExecute = () -> {};
      join(inSession);
      join(underKey);
    }
    assertThat(join(Counters.in(session).get("x"))).isEqualTo(8);
  }

  @Test
  void failingSendOnTheJournalsThreadDoesNotStopTheJournal_C5() {
    onceward = builder().build(transport);
    DurableSession session = join(onceward.openDurable("d", folder.resolve("d.journal")));
    failNextSendOf("onceward-journal", new IllegalStateException("the call was cancelled"));
    assertThat(value(join(session.submit("t1", "counter", add())))).isEqualTo(1);
    assertThat(value(join(session.submit("t2", "counter", add())))).isEqualTo(2);
    session.close();
  }

  @Test
  void failingSendDoesNotSilenceTheNewsOfTheSameEvent_C6() {
    onceward = builder().build(transport);
    Session session = join(onceward.openSession());
    // Decided on the network's thread, where the next request is sent by the first one's callback.
    AtomicInteger told = new AtomicInteger();
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      failNextSendOf("onceward-client", new IllegalStateException("the call was cancelled"));
      all.add(
          session
              .submit("counter", add())
              .thenCompose(
                  decided -> {
                    told.incrementAndGet();
                    return session.submit("counter", add());
                  }));
    }
    all.forEach(Await::join);
    assertThat(told.get()).isEqualTo(50);
    assertThat(join(Counters.in(session).get("x"))).isEqualTo(100);
  }

  @Test
  void executorThatThrowsAnythingDoesNotLoseDecisions_C6() {
    AtomicInteger calls = new AtomicInteger();
    Executor failing =
        task -> {
          int call = calls.incrementAndGet();
          if (call % 3 == 0) {
            throw new OutOfMemoryError("unable to create native thread");
          } else if (call % 3 == 1) {
            throw new IllegalStateException("not here");
          }
          task.run();
        };
    onceward = builder().completeOn(failing).build();
    Session session = join(onceward.openSession());
    for (int i = 1; i <= 9; i++) {
      assertThat(value(join(session.submit("counter", add())))).isEqualTo(i);
    }
  }

  @Test
  void executorThatRunsAndThenThrowsTellsOnce_C6() {
    AtomicInteger ran = new AtomicInteger();
    Executor failing =
        task -> {
          task.run();
          ran.incrementAndGet();
          throw new IllegalStateException("after all");
        };
    onceward = builder().completeOn(failing).build();
    Session session = join(onceward.openSession());
    Decided decided = join(session.submit("counter", add()));
    until("opening and request are told to the end", () -> ran.get() == 2);
    assertThat(failure(session.decision(decided.id()), OutcomeUnknownException.class))
        .as("it is not kept for a second caller")
        .isNotNull();
  }

  @Test
  void malformedAddressIsRefusedWhenBuilding() {
    for (String address :
        List.of(
            "localhost",
            "10.0.0.1:",
            ":7400",
            "a b:7400",
            "h:0",
            "h:70000",
            "10.0.0.256:7400",
            "1.2.3.4.5:7400",
            "1.2.3:7400",
            "1.2.3.:7400",
            ".1.2.3.4:7400",
            "1..3.4:7400",
            "7400:7400",
            "1.2.3.0004:7400",
            "[abc]:7400")) {
      assertThatThrownBy(() -> Onceward.builder().address(address).address("h:1").build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("host:port")
          .hasMessageContaining(address);
    }
    assertThatThrownBy(() -> Onceward.builder().build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void malformedAddressFromANodeIsSkipped_C4() {
    FakeNode second = new FakeNode(log);
    try {
      node.leads = false;
      node.members = List.of(second);
      node.hint = second.address();
      AtomicInteger asked = new AtomicInteger();
      onceward =
          builder()
              .address(second.address())
              .reachedAt(
                  told -> {
                    if (asked.incrementAndGet() % 2 == 0) {
                      throw new IllegalStateException("no translation");
                    }
                    return "nowhere";
                  })
              .build();
      Session session = join(onceward.openSession());
      assertThat(value(join(session.submit("counter", add())))).isEqualTo(1);
      assertThat(
              failure(onceward.admin().status("no address at all"), UnreachableException.class)
                  .getMessage())
          .contains("host:port");
    } finally {
      second.close();
    }
  }

  @Test
  void deadlinesOutsideOfAllTimeStopNoTimer_C2() {
    onceward = builder().build();
    Session session = join(onceward.openSession());
    for (Duration deadline :
        List.of(
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofMillis(Long.MIN_VALUE),
            Duration.ofMillis(-1))) {
      node.losesQuestion = (any, question) -> FakeNode.requestOf(question) != null;
      OutcomeUnknownException unknown =
          failure(session.submit("counter", add(), deadline), OutcomeUnknownException.class);
      node.losesQuestion = (any, question) -> false;
      join(session.decision(unknown.requestId().orElseThrow()));
    }
    for (Duration deadline :
        List.of(Duration.ofMillis(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE))) {
      join(session.submit("counter", add(), deadline));
      Keyed keyed = onceward.keyed();
      join(keyed.submit(keyed.newKey(), "counter", add(), deadline));
    }
    node.losesQuestion = (any, question) -> FakeNode.requestOf(question) != null;
    failure(session.submit("counter", add(), Duration.ofMillis(50)), OutcomeUnknownException.class);
  }
}
