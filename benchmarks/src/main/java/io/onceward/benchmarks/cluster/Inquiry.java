package io.onceward.benchmarks.cluster;

import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One question to one node, on a connection of its own. */
final class Inquiry {
  private static final int SECONDS = 5;

  private Inquiry() {}

  /**
   * What the node answers.
   *
   * @throws IOException if it does not
   */
  static Answer ask(String address, Question question) throws IOException {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    WireStream.Listener listener =
        new WireStream.Listener() {
          @Override
          public void heard(byte[] message) {
            Answers.decode(message, (ticket, told) -> answer.complete(told));
          }

          @Override
          public void ended(String why) {
            answer.completeExceptionally(new IOException(address + " hung up: " + why));
          }
        };
    try (WireStream stream = new WireStream(address, listener)) {
      stream.send(Questions.encode(List.of(new Questions.Asked(1, question))));
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException problem) {
      throw new IOException(address + " does not answer: " + problem, problem);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + address + " was asked", interrupted);
    }
  }
}
