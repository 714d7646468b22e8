package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatusAskersTest {
  private static final Question.Status STATUS = new Question.Status(false);

  private final CountDownLatch made = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> brought = new LinkedBlockingQueue<>();
  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
  private final Asker asker = new Asker();
  private boolean workers = true;
  private boolean threads = true;
  private final StatusAskers askers =
      new StatusAskers(
          new OneAtATime<>(
              task -> {
                if (!workers) {
                  throw new InternalError("unable to create native thread");
                }
                Thread one = new Thread(task, "status");
                one.setDaemon(true);
                return one;
              },
              0,
              () -> {
                try {
                  made.await();
                } catch (InterruptedException stopped) {
                  throw new IllegalStateException(stopped);
                }
                throw new IllegalStateException("no status");
              }),
          this::execute,
          new QuestionRoom(DoorLimits.DEFAULT),
          (status, problem) -> new Answer.Unavailable("made"));

  private static final class Asker extends Visitor {
    final List<Answer> heard = new ArrayList<>();

    Asker() {
      super("alice");
    }

    @Override
    protected void answer(long ticket, Answer answer) {
      heard.add(answer);
    }
  }

  private void execute(Runnable turn) {
    if (!threads) {
      brought.add("refused");
      throw new InternalError("unable to create native thread");
    }
    turns.add(turn);
    brought.add("taken");
  }

  private void assertNobodyWaits() {
    assertThat(asker.statuses).isZero();
    assertThat(asker.waiting).isZero();
    assertThat(asker.questionBytes).isZero();
  }

  @Test
  void askersWhoseTurnGotNoThreadAreAnsweredByWhoeverComesByTheDoor() throws Exception {
    threads = false;
    askers.ask(asker, 1, STATUS);
    askers.ask(asker, 2, STATUS);
    made.countDown();
    assertThat(brought.take()).isEqualTo("refused");
    while (asker.heard.isEmpty()) {
      askers.comeBy();
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(asker.heard).hasSizeBetween(1, 2);
    while (asker.heard.size() < 2) {
      askers.comeBy();
      LockSupport.parkNanos(1_000_000);
    }
    askers.comeBy();
    assertThat(asker.heard).hasSize(2);
    assertNobodyWaits();
  }

  @Test
  void askerWhoseStatusGotNoThreadIsAnsweredAndLaterOnesToo() throws Exception {
    made.countDown();
    workers = false;
    askers.ask(asker, 1, STATUS);
    assertThat(asker.heard).singleElement().isInstanceOf(Answer.Unavailable.class);
    assertNobodyWaits();
    workers = true;
    askers.ask(asker, 2, STATUS);
    assertThat(brought.take()).isEqualTo("taken");
    turns.remove().run();
    assertThat(asker.heard).hasSize(2);
    assertNobodyWaits();
  }

  @Test
  void crowdKeepsNobodyFromFindingTheLeader_L2() throws Exception {
    List<Asker> crowd = new ArrayList<>();
    for (int i = 0; i < StatusAskers.MOST_OF_ALL; i++) {
      if (i % StatusAskers.MOST_OF_ONE == 0) {
        crowd.add(new Asker());
      }
      askers.ask(crowd.get(crowd.size() - 1), i, STATUS);
    }
    crowd.forEach(greedy -> assertThat(greedy.heard).isEmpty());
    askers.ask(crowd.get(0), 1_000, STATUS);
    assertThat(crowd.get(0).heard).hasSize(1);
    askers.ask(asker, 1, STATUS);
    assertThat(asker.heard).as("it waits for its answer").isEmpty();
    askers.ask(asker, 2, STATUS);
    assertThat(asker.heard).containsExactly(new Answer.Unavailable("too many wait for a status"));
    made.countDown();
    while (asker.heard.size() < 2) {
      brought.take();
      turns.remove().run();
    }
    assertNobodyWaits();
  }
}
