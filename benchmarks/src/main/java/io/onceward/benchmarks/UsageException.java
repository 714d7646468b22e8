package io.onceward.benchmarks;

/** The command line asks for something that there is not. The message says what there is. */
public final class UsageException extends RuntimeException {
  public UsageException(String message) {
    super(message);
  }
}
