package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.List;

/**
 * A service told in the simplest way there is, from its documentation and not from its code. It
 * hears commands in the order in which they took effect and judges their replies.
 *
 * <p>Where a command is missing because nobody ever learned which one it was, the model is no
 * longer sure of what the missing one may have touched. It takes the next reply about that for
 * granted and goes on from there; each time is told as {@link Result#TAKEN}.
 */
abstract class ReferenceModel {
  enum Result {
    AGREES,
    /** The model was not sure and took what was told. */
    TAKEN,
    DIFFERS
  }

  /**
   * What the model says about one reply.
   *
   * @param expected in words, if the reply differs
   */
  record Judgement(Result result, String expected) {}

  static final Judgement AGREES = new Judgement(Result.AGREES, "");
  static final Judgement TAKEN = new Judgement(Result.TAKEN, "");

  /**
   * When something happened.
   *
   * @param timeMillis log time; for a query, the latest that it can have been
   * @param invokedNanos by the clients' clock, the earliest that it can have been
   * @param answeredNanos by the clients' clock, the latest that it can have been
   */
  record Moment(long timeMillis, long invokedNanos, long answeredNanos) {}

  /**
   * A command took effect and was answered so.
   *
   * @throws RuntimeException if command or reply are not in the words of this service
   */
  abstract Judgement executed(Bytes command, Moment moment, Reply told);

  /** A query was answered so. */
  abstract Judgement queried(Bytes question, Moment moment, Reply told);

  /** One of these commands, nobody knows which, took effect now. */
  abstract void missed(List<Bytes> candidates);

  static Judgement compare(Reply expected, Reply told) {
    return expected.equals(told) ? AGREES : differs(expected.kind() + " " + expected.bytes());
  }

  static Judgement differs(String expected) {
    return new Judgement(Result.DIFFERS, expected);
  }

  static boolean isOk(Reply reply) {
    return reply.kind() == Reply.Kind.OK;
  }
}
