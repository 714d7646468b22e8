package io.onceward.http;

/** The header names no key. The message says why, for the caller. */
final class MalformedKeyException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedKeyException(String why) {
    super(why);
  }
}
