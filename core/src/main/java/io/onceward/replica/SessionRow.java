package io.onceward.replica;

import io.onceward.ClientKind;

/**
 * One session as 80 bytes of a page. The fields, and nothing else, are the session: everything that
 * is written here is in the snapshot, except the links of the expiry wheel and the ring's place.
 */
final class SessionRow {
  static final int BYTES = 80;

  /** The incarnation at which the session was first opened. */
  static final int SESSION = 0;

  /** The incarnation that may speak; 0 marks a row that is free. */
  static final int INCARNATION = 8;

  /** The nonce of the opening that made this incarnation. */
  static final int NONCE_HIGH = 16;

  static final int NONCE_LOW = 24;
  static final int WATERMARK = 32;

  /** Age when anything of the session was last applied. */
  static final int LAST_ACTIVE = 40;

  static final int PRINCIPAL = 48;

  /** The block of the name, 0 for registered clients. */
  static final int NAME = 52;

  /** The ring of slots, or the only slot itself while one is enough; see {@link Window}. */
  static final int RING = 56;

  /** First undecided sequence, counted from the watermark. */
  static final int FRONTIER = 60;

  /** One above the highest decided sequence, counted from the watermark. */
  static final int DECIDED_END = 64;

  static final int WHEEL_NEXT = 68;
  static final int WHEEL_PREVIOUS = 72;

  /** Window (17 bits), kind (2 bits), ordered (1 bit), logarithm of the ring's size (5 bits). */
  static final int OPTIONS = 76;

  private static final int KIND_SHIFT = 17;
  private static final int ORDERED_BIT = 1 << 19;
  private static final int RING_SHIFT = 20;

  private SessionRow() {}

  static int options(int window, ClientKind kind, boolean ordered) {
    return window | kind.code() << KIND_SHIFT | (ordered ? ORDERED_BIT : 0);
  }

  static int window(int options) {
    return options & ((1 << KIND_SHIFT) - 1);
  }

  static ClientKind kind(int options) {
    return ClientKind.ofCode(options >>> KIND_SHIFT & 3);
  }

  static boolean isOrdered(int options) {
    return (options & ORDERED_BIT) != 0;
  }

  static int ringBits(int options) {
    return options >>> RING_SHIFT & 31;
  }

  static int withRingBits(int options, int bits) {
    return options & ~(31 << RING_SHIFT) | bits << RING_SHIFT;
  }

  static int withoutRing(int options) {
    return withRingBits(options, 0);
  }
}
