package io.onceward.wire;

import io.onceward.fuzz.Frugal;
import java.util.ArrayList;
import java.util.List;

/**
 * Searches for messages that upset the decoder of questions, which strangers can send: any
 * exception but damage, memory taken for a length that only was claimed, or a question that does
 * not come back when it is written again.
 */
public final class QuestionsTarget {

  private QuestionsTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> check(input));
  }

  private static void check(byte[] input) {
    List<Questions.Asked> asked = heard(input);
    if (!heard(Questions.encode(asked)).equals(asked)) {
      throw new AssertionError("not the same again: " + asked);
    }
  }

  private static List<Questions.Asked> heard(byte[] message) {
    List<Questions.Asked> asked = new ArrayList<>();
    Questions.decode(
        message,
        new Questions.Sink() {
          @Override
          public void asked(long ticket, Question question) {
            asked.add(new Questions.Asked(ticket, question));
          }

          @Override
          public void unknown(long ticket, String reason) {
            if (reason.isEmpty()) {
              throw new AssertionError("no reason is given for " + ticket);
            }
          }
        });
    return asked;
  }
}
