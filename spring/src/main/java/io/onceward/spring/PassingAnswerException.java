package io.onceward.spring;

/** The answer goes out, and is not remembered: it holds for a moment only. */
final class PassingAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PassingAnswerException() {
    super("its answer has a status that holds for a moment only", null, false, false);
  }
}
