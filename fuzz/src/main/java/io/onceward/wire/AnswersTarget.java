package io.onceward.wire;

import io.onceward.fuzz.Frugal;
import java.util.ArrayList;
import java.util.List;

/**
 * Searches for messages that upset the decoder of answers, which a client reads from whoever
 * answers at the address it was given: any exception but damage, memory taken for a length that
 * only was claimed, or an answer that does not come back when it is written again.
 */
public final class AnswersTarget {

  private AnswersTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> check(input));
  }

  private static void check(byte[] input) {
    List<Answers.Given> given = heard(input);
    if (!heard(Answers.encode(given)).equals(given)) {
      throw new AssertionError("not the same again: " + given);
    }
  }

  private static List<Answers.Given> heard(byte[] message) {
    List<Answers.Given> given = new ArrayList<>();
    Answers.decode(message, (ticket, answer) -> given.add(new Answers.Given(ticket, answer)));
    return given;
  }
}
