package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.client.session.Asking;
import io.onceward.client.session.Pace;
import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A connection whose line takes everything at once, and whose node answers when a test wants. */
class ConnectionTest {
  private static final int QUESTION_BYTES = 32 << 10;
  private static final int QUESTIONS = 1_000;

  /** Two MiB without an answer, and what may be written before that is noticed. */
  private static final long MOST_BYTES = (2 << 20) + 2L * QUESTION_BYTES;

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<byte[]> sent = new ArrayList<>();

  /** Its thread is the test's, which runs what was handed over when it comes to it. */
  private final class Eager implements Transport {
    @Override
    public Line connect(String address, Line.Listener listener) {
      return new Line() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void send(byte[] message) {
          sent.add(message);
        }

        @Override
        public void close(String reason) {}
      };
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {}

    @Override
    public boolean isTransportThread() {
      return false;
    }

    @Override
    public void close() {}
  }

  private final Nodes nodes =
      new Nodes(List.of("n:1"), UnaryOperator.identity(), new Eager(), Pace.USUAL, null);
  private final Connection connection = new Connection("n:1", nodes, new Eager(), Pace.USUAL);

  private final Speaker speaker =
      new Speaker(nodes) {
        @Override
        void answered(Object asked, int copy, Answer answer) {}

        @Override
        void rerouted() {}

        @Override
        void tick() {}

        @Override
        long wakeMillis() {
          return Long.MAX_VALUE;
        }
      };

  private static final class Something extends Asking {
    @Override
    public boolean isDecided() {
      return false;
    }
  }

  private void ask() {
    Question question = new Question.Query(Bytes.of(new byte[QUESTION_BYTES]));
    connection.add(
        new Asked(
            speaker, new Something(), 1, Asked.Wait.USUAL, Question.Query.class, () -> question),
        nodes.nowMillis());
    connection.flush();
  }

  private void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private long sentBytes() {
    return sent.stream().mapToLong(message -> message.length).sum();
  }

  /** Retries, and other speakers, would wait behind all of it (C1, C4). */
  @Test
  void bytesWithoutAnAnswerAreBounded() {
    connection.open();
    for (int i = 0; i < QUESTIONS; i++) {
      ask();
    }
    runAll();
    assertThat(sentBytes()).isBetween(1L << 20, MOST_BYTES);
    Answer told = new Answer.QueryTold(Reply.ok(""));
    for (int answered = 0; answered < QUESTIONS; answered++) {
      connection.received(Answers.encode(List.of(new Answers.Given(answered, told))));
      connection.flush();
      runAll();
      assertThat(sentBytes() - (long) answered * QUESTION_BYTES).isLessThan(MOST_BYTES);
    }
    assertThat(sentBytes()).isGreaterThan((long) QUESTIONS * QUESTION_BYTES);
  }
}
