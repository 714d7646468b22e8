package io.onceward.replica;

/** The second byte of a request's frame. Bits that a type does not define are zero. */
final class RequestFlags {
  static final int NONE = 0;

  /** A fingerprint is there: in session and keyed requests. */
  static final int FINGERPRINT = 1;

  /** Of an opening. */
  static final int FROM_JOURNAL = 1;

  /** Of an opening. */
  static final int ORDERED = 2;

  /** Of a scope's settings. */
  static final int DATED_ONLY = 1;

  private RequestFlags() {}
}
