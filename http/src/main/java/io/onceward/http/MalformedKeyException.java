package io.onceward.http;

/** The header names no key. The message says why, for the caller. */
public final class MalformedKeyException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedKeyException(String why) {
    super(why);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
