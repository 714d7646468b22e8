package io.onceward.benchmarks.cluster;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.io.IOException;
import java.util.List;

/** Finds out who leads, by asking the nodes. */
final class Leader {
  private Leader() {}

  /**
   * Where clients reach the node that says of itself that it leads.
   *
   * @throws IOException if none does
   */
  static String of(List<String> addresses) throws IOException {
    StringBuilder told = new StringBuilder();
    for (String address : addresses) {
      try {
        Answer answer = Inquiry.ask(address, new Question.Status(false));
        if (answer instanceof Answer.StatusTold status && status.status().role().equals("leader")) {
          return address;
        }
        told.append(" / ").append(address).append(": ").append(answer);
      } catch (IOException problem) {
        told.append(" / ").append(problem.getMessage());
      }
    }
    throw new IOException("no node leads" + told);
  }

  /** How far a node's log is applied. */
  static long position(String address) throws IOException {
    Answer answer = Inquiry.ask(address, new Question.Status(false));
    if (answer instanceof Answer.StatusTold status) {
      return status.status().position();
    }
    throw new IOException(address + " does not tell how it is: " + answer);
  }
}
