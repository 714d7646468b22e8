package io.onceward.client;

/**
 * Failures of something that many share, such as the timer or the way callers hear of decisions.
 * One that fails must not take the others along, and must not be swallowed either.
 */
final class Uncaught {
  private Uncaught() {}

  /** Hands it to whoever handles what threads do not catch; by default it is printed. */
  static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (RuntimeException | Error e) {
      // The handler is the last who could hear of it.
    }
  }
}
