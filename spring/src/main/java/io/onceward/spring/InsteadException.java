package io.onceward.spring;

/** Nothing can be remembered, and this is what the caller is to get instead. */
final class InsteadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RuntimeException instead;

  InsteadException(RuntimeException instead) {
    super(instead);
    this.instead = instead;
  }

  RuntimeException instead() {
    return instead;
  }
}
