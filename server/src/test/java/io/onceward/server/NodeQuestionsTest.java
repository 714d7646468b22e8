package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.server.DoorRig.Listener;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node itself is asked is counted, limited, and in nobody's way (L1, L2). */
class NodeQuestionsTest {
  private static final Member ANOTHER = new Member("b", "127.0.0.1", 3, 4);

  @TempDir Path folder;
  private final CountDownLatch release = new CountDownLatch(1);
  private final SlowLog log = new SlowLog();
  private final Listener asker = new Listener("asker");
  private final Listener honest = new Listener("honest");
  private Node node;

  /** Its status and its changes take as long as the test wants. */
  private final class SlowLog extends NodeTest.Log {
    final List<CompletableFuture<Void>> changes = new ArrayList<>();

    @Override
    public Status status() {
      try {
        release.await();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
      return super.status();
    }

    private CompletableFuture<Void> change() {
      CompletableFuture<Void> change = new CompletableFuture<>();
      changes.add(change);
      return change;
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
      return change();
    }

    @Override
    public CompletableFuture<Void> removeMember(String id) {
      return change();
    }

    @Override
    public CompletableFuture<Void> transferLeadership(String member) {
      return change();
    }

    @Override
    public CompletableFuture<Long> takeSnapshot() {
      return change().thenApply(done -> 1L);
    }
  }

  @BeforeEach
  void lead() {
    node = new Node(ServerSettings.alone(folder, 1, 2), new AddingService());
    node.leading(1);
    node.attach(log);
    node.apply(1, 1, log.submitted.get(0), log.handles.get(0));
    log.submitted.clear();
    log.handles.clear();
  }

  @AfterEach
  void stop() {
    release.countDown();
    node.close();
  }

  /** On another thread: it must not be held up, whatever the engine does. */
  private void ask(Listener visitor, int times, Question question) {
    RawClient.await(
        CompletableFuture.runAsync(
            () ->
                node.arrived(
                    here -> {
                      for (int i = 0; i < times; i++) {
                        here.ask(visitor, i, question);
                      }
                    })));
  }

  private long unavailable(Listener visitor) {
    return visitor.heard.stream().filter(one -> one.answer() instanceof Answer.Unavailable).count();
  }

  private void awaitAnswers(Listener visitor, int count) {
    long end = System.nanoTime() + 10_000_000_000L;
    int[] heard = {0};
    while (heard[0] < count && System.nanoTime() < end) {
      node.arrived(here -> heard[0] = visitor.heard.size());
    }
    assertThat(heard[0]).isEqualTo(count);
  }

  @Test
  void requestsPassThoseWhoWaitForAStatus() {
    ask(asker, 3_000, new Question.Status(false));
    ask(honest, 1, RawClient.logged(new Request.Unkeyed(Bytes.utf8("x"))));
    assertThat(log.submitted).hasSize(1);
  }

  @Test
  void statusesAreCountedAndLimited() {
    ask(asker, 3_000, new Question.Status(false));
    assertThat(asker.waiting).isEqualTo(100);
    assertThat(asker.questionBytes).isGreaterThanOrEqualTo(100 * 128);
    assertThat(unavailable(asker)).isEqualTo(2_900);
    ask(honest, 1, new Question.Status(false));
    ask(honest, 1, new Question.Status(true));
    release.countDown();
    awaitAnswers(honest, 2);
    awaitAnswers(asker, 3_000);
    assertThat(unavailable(honest)).isZero();
    assertThat(unavailable(asker)).isEqualTo(2_900);
    assertThat(asker.waiting).isZero();
    assertThat(asker.questionBytes).isZero();
    ask(asker, 1, new Question.Status(false));
    awaitAnswers(asker, 3_001);
    assertThat(unavailable(asker)).isEqualTo(2_900);
  }

  @Test
  void statusesOfACrowdAreLimitedTogether() {
    List<Listener> crowd = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Listener one = new Listener("one");
      crowd.add(one);
      ask(one, 100, new Question.Status(i % 2 == 0));
    }
    assertThat(crowd.stream().mapToInt(one -> one.waiting).sum()).isEqualTo(1_200);
    for (int i = 0; i < 12; i++) {
      Listener one = new Listener("one");
      crowd.add(one);
      ask(one, 100, new Question.Status(false));
    }
    assertThat(crowd.stream().mapToInt(one -> one.waiting).sum())
        .as("four of them fill it up, and of each of the others there is one")
        .isEqualTo(1_200 + 4 * 100 + 8);
    Listener late = new Listener("late");
    ask(late, 2, new Question.Status(false));
    assertThat(late.waiting).isOne();
    assertThat(unavailable(late)).isOne();
  }

  @Test
  void onlyAFewStepsAreUnderWay() {
    List<Question> steps =
        List.of(
            new Question.AddMember(ANOTHER),
            new Question.RemoveMember("b"),
            new Question.TakeSnapshot(),
            new Question.TransferLeadership("b"));
    for (Question step : steps) {
      ask(asker, 100, step);
    }
    assertThat(log.changes).hasSize(Node.MOST_STEPS);
    assertThat(asker.waiting).isEqualTo(Node.MOST_STEPS);
    assertThat(asker.questionBytes).isPositive();
    assertThat(unavailable(asker)).isEqualTo(400 - Node.MOST_STEPS);
    log.changes.get(0).complete(null);
    log.changes.get(1).completeExceptionally(new IllegalStateException("no"));
    awaitAnswers(asker, 400 - Node.MOST_STEPS + 2);
    for (Question step : steps) {
      ask(honest, 1, step);
    }
    assertThat(log.changes).hasSize(Node.MOST_STEPS + 2);
    log.changes.forEach(change -> change.complete(null));
    awaitAnswers(honest, 4);
    assertThat(asker.waiting).isZero();
    assertThat(asker.questionBytes).isZero();
    assertThat(honest.waiting).isZero();
  }

  @Test
  void onlyTransfersThatBeginLetTimePass() {
    ask(asker, Node.MOST_STEPS, new Question.AddMember(ANOTHER));
    ask(asker, 100, new Question.TransferLeadership("b"));
    assertThat(log.submitted).isEmpty();
  }
}
