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
    Heard heard = new Heard(input);
    Answers.Writer writer = new Answers.Writer();
    heard.timings.forEach(writer::add);
    heard.given.forEach(each -> writer.add(each.ticket(), each.answer()));
    Heard again = new Heard(writer.take().toArray());
    if (!again.given.equals(heard.given) || !again.timings.equals(heard.timings)) {
      throw new AssertionError("not the same again: " + heard.given + " " + heard.timings);
    }
  }

  private static final class Heard implements Answers.Sink {
    final List<Answers.Given> given = new ArrayList<>();
    final List<Timing> timings = new ArrayList<>();

    Heard(byte[] message) {
      Answers.decode(message, this);
    }

    @Override
    public void given(long ticket, Answer answer) {
      given.add(new Answers.Given(ticket, answer));
    }

    @Override
    public void timing(Timing timing) {
      timings.add(timing);
    }
  }
}
