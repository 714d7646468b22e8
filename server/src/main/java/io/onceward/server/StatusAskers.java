package io.onceward.server;

import io.onceward.wire.Answer;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for the same kind of status: a bounded number, of whom all who ask at about the
 * same time get the same one, in one turn at the door (L1, L2).
 *
 * <p>Whoever asks it holds the door.
 */
final class StatusAskers {
  /**
   * When so many wait, each connection may have one question all the same. Clients find the leader
   * by asking for its status: ten connections that ask without end would keep everybody else out.
   */
  static final int MOST_OF_ALL = 1_000;

  static final int MOST_OF_ONE = 100;

  private final OneAtATime<NodeStatus> work;
  private final Executor door;
  private final QuestionRoom room;
  private final BiFunction<@Nullable NodeStatus, @Nullable Throwable, Answer> answering;
  private @Nullable CompletableFuture<NodeStatus> expected;
  private List<Asker> expecting = new ArrayList<>();
  private int waiting;

  /** What got no thread to do it later. */
  private final Queue<Runnable> kept = new ConcurrentLinkedQueue<>();

  private record Asker(Visitor visitor, long ticket, Question.Status question) {}

  /**
   * Nobody yet.
   *
   * @param work makes a status
   * @param door runs what it is given later, on another thread, at the door; or it throws, and
   *     {@link #comeBy} does it
   * @param room counts those who wait
   * @param answering makes an answer of a status, or of the problem that there was instead
   */
  StatusAskers(
      OneAtATime<NodeStatus> work,
      Executor door,
      QuestionRoom room,
      BiFunction<@Nullable NodeStatus, @Nullable Throwable, Answer> answering) {
    this.work = work;
    this.door = door;
    this.room = room;
    this.answering = answering;
  }

  /** Somebody asks, and is answered later unless there are too many. */
  void ask(Visitor visitor, long ticket, Question.Status question) {
    Answer obstacle = obstacle(visitor, question);
    if (obstacle != null) {
      visitor.answer(ticket, obstacle);
      return;
    }
    CompletableFuture<NodeStatus> status;
    try {
      status = work.ask();
    } catch (Throwable noThread) {
      room.leaves(visitor, question);
      visitor.answer(
          ticket, new Answer.Unavailable("a status could not be begun: " + Reasons.of(noThread)));
      return;
    }
    waiting++;
    visitor.statuses++;
    if (status != expected) {
      expected = status;
      List<Asker> together = new ArrayList<>();
      expecting = together;
      // Later, since it may be there already, and the door is held.
      var unused =
          status.whenComplete((made, problem) -> later(() -> answer(together, made, problem)));
    }
    expecting.add(new Asker(visitor, ticket, question));
  }

  private void later(Runnable answering) {
    try {
      door.execute(answering);
    } catch (Throwable noThread) {
      kept.add(answering);
    }
  }

  /** Answers those whose turn got no thread. Whoever calls it holds the door. */
  void comeBy() {
    for (Runnable answering = kept.poll(); answering != null; answering = kept.poll()) {
      answering.run();
    }
  }

  private @Nullable Answer obstacle(Visitor visitor, Question.Status question) {
    if (waiting >= MOST_OF_ALL && visitor.statuses > 0) {
      return new Answer.Unavailable("too many wait for a status");
    } else if (visitor.statuses >= MOST_OF_ONE) {
      return new Answer.Unavailable("too many wait for a status on a connection");
    }
    return room.enter(visitor, question);
  }

  private void answer(List<Asker> askers, @Nullable NodeStatus made, @Nullable Throwable problem) {
    Answer answer = answering.apply(made, problem);
    for (Asker asker : askers) {
      waiting--;
      asker.visitor.statuses--;
      room.leaves(asker.visitor, asker.question);
      asker.visitor.answer(asker.ticket, answer);
    }
  }
}
