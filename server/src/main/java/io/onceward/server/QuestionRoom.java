package io.onceward.server;

import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import org.jspecify.annotations.Nullable;

/**
 * What the questions that wait take in memory, by connection and in all (L1). It is room of their
 * own: long queries must keep no request out, and a full queue of requests no question.
 *
 * <p>A plain object. One thread at a time drives it, at the door.
 */
final class QuestionRoom {
  private final DoorLimits limits;
  private long bytes;

  QuestionRoom(DoorLimits limits) {
    this.limits = limits;
  }

  /** Counts a question that is to wait until it {@link #leaves}, or says why it may not wait. */
  @Nullable Answer enter(Visitor visitor, Question question) {
    long more = bytesOf(question);
    if (question instanceof Question.Query query
        && query.question().length() > limits.queryBytes()) {
      return new Answer.Rejected("a query may have " + limits.queryBytes() + " bytes at most");
    } else if (visitor.waiting >= limits.waitingPerVisitor()) {
      return new Answer.Unavailable("too many questions in flight on a connection");
    } else if (isOver(visitor.questionBytes, more, limits.questionBytesPerVisitor())) {
      return new Answer.Unavailable("too many bytes of questions in flight on a connection");
    } else if (isOver(bytes, more, limits.questionBytes())) {
      return new Answer.Unavailable("too many bytes of questions in flight");
    }
    visitor.waiting++;
    visitor.questionBytes += more;
    bytes += more;
    return null;
  }

  /** A single one may be longer: it would never get in otherwise. */
  private static boolean isOver(long already, long more, long most) {
    return already > 0 && already + more > most;
  }

  /** It is answered, or on its way to somebody who counts it. */
  void leaves(Visitor visitor, Question question) {
    long less = bytesOf(question);
    visitor.waiting--;
    visitor.questionBytes -= less;
    bytes -= less;
  }

  private static long bytesOf(Question question) {
    return PostponedReads.bytesOf(question);
  }
}
