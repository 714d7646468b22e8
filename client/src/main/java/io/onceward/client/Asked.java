package io.onceward.client;

import io.onceward.client.session.Asking;
import io.onceward.wire.Question;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a question on its way over one connection. It may stand for later copies of the same
 * question that would have been sent while this one was still under way; their number is its number
 * then. Guarded by the lock of its connection.
 */
final class Asked {
  /** How long an answer may take before its absence means that the connection is dead (C4). */
  enum Wait {
    USUAL,
    /** Until the next entry of the log, as for a keep-alive. */
    KEEP_ALIVE,
    /** As long as it takes: a step of an administrator. Whoever asks has a deadline for it. */
    SLOW
  }

  final Speaker speaker;
  final Asking what;

  final Wait wait;

  int copy;

  /** Which connection it was given to. */
  @Nullable Connection connection;

  /** What the question asks: copies of a command are told from its abandonment by this. */
  Object kind;

  /** Makes the question when it is about to leave; null from then on. */
  @Nullable Supplier<Question> question;

  /** How long it is on the wire; 0 while it waits, and when it no longer counts as under way. */
  int bytes;

  /** Whether it was handed to the network. If not, the node never saw it. */
  boolean left;

  long leftMillis;

  /** Answered, dropped, or lost with its connection. */
  boolean over;

  Asked(
      Speaker speaker, Asking what, int copy, Wait wait, Object kind, Supplier<Question> question) {
    this.speaker = speaker;
    this.what = what;
    this.copy = copy;
    this.wait = wait;
    this.kind = kind;
    this.question = question;
  }

  /** The question, which is about to be written. */
  Question takeQuestion() {
    Supplier<Question> making = question;
    if (making == null) {
      throw new IllegalStateException("a question is written once");
    }
    question = null;
    return making.get();
  }

  /** Whether the question still waits for its turn, and can be replaced by a newer copy. */
  boolean isWaiting() {
    return question != null;
  }
}
