package io.onceward.benchmarks;

/** The command line asks for something that there is not. The message says what there is. */
final class UsageException extends RuntimeException {
  UsageException(String message) {
    super(message);
  }
}
