package io.onceward.client;

import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.SessionPlan;
import io.onceward.services.CounterCommand;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing stays behind when sessions and clients are closed. */
class LeaksTest {
  @TempDir Path folder;

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("onceward-"))
        .count();
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void tenThousandSessionsLeaveNoThreadAndNoMemory() {
    FakeLog log = new FakeLog();
    Bytes add = CounterCommand.encode(new CounterCommand.Add("x", 1));
    try (FakeNode node = new FakeNode(log);
        Onceward onceward = Onceward.connect(node.address())) {
      cycles(onceward, add, 1_000);
      long before = usedBytes();
      long threads = clientThreads();
      cycles(onceward, add, 10_000);
      assertThat(log.sessions()).isZero();
      assertThat(clientThreads()).isEqualTo(threads).isEqualTo(1);
      Await.until("memory is level", () -> usedBytes() - before < 3_000_000);
    }
    Await.until("no thread is left", () -> clientThreads() == 0);
  }

  private static void cycles(Onceward onceward, Bytes add, int count) {
    for (int done = 0; done < count; done += 100) {
      List<CompletableFuture<Void>> together = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        together.add(
            onceward
                .openSession()
                .thenCompose(
                    session ->
                        session
                            .submit("counter", add)
                            .thenCompose(decided -> session.closeAsync())));
      }
      together.forEach(Await::join);
    }
  }

  @Test
  void manyClientsLeaveNoThreadAndNoConnection() {
    FakeLog log = new FakeLog();
    try (FakeNode node = new FakeNode(log)) {
      for (int i = 0; i < 50; i++) {
        try (Onceward onceward = Onceward.connect(node.address())) {
          Session session = join(onceward.openSession());
          join(Counters.in(session).add("x", 1));
          if (i % 10 == 0) {
            DurableSession durable = join(onceward.openDurable("d" + i, folder.resolve("d" + i)));
            join(
                durable.submit("t", "counter", CounterCommand.encode(new CounterCommand.Get("x"))));
          }
        }
      }
      Await.until("no thread is left", () -> clientThreads() == 0);
      Await.until("no connection is left", () -> node.connections() == 0);
      assertThat(log.sessions()).as("durable names stay").isEqualTo(5);
    }
  }

  /** As a durable name may be that is given up while its journal is read. */
  @Test
  void sessionGivenUpBeforeItsStartIsNotKept() {
    try (Onceward onceward = Onceward.connect("127.0.0.1:1")) {
      WeakReference<LiveSession> kept = new WeakReference<>(givenUpBeforeItsStart(onceward));
      Await.until(
          "it is gone",
          () -> {
            System.gc();
            return kept.refersTo(null);
          });
    }
  }

  private static LiveSession givenUpBeforeItsStart(Onceward onceward) {
    SessionPlan plan = new SessionPlan(ClientKind.REGISTERED, "", true, 16, 1, 2);
    LiveSession session = new LiveSession(onceward, plan, null, new JournalState());
    session.leave();
    assertThat(session.start()).isCompletedExceptionally();
    return session;
  }

  @Test
  void aClientThatNeverReachedAnyoneEndsToo() {
    try (Onceward onceward = Onceward.connect("127.0.0.1:1", "localhost:2")) {
      assertThat(onceward.openSession()).isNotDone();
    }
    Await.until("no thread is left", () -> clientThreads() == 0);
  }
}
