package io.onceward.replica;

import io.onceward.ClientKind;

/**
 * The bytes that sessions and keys account for, in all and per principal (K6).
 *
 * <p>The costs are constants of the format rather than what this build's structures take, so that
 * every replica, whatever its layout, refuses the same request. They are about what the structures
 * take.
 */
final class Room {
  static final int SESSION = 96;

  /** What a durable name takes besides: {@link Lineage}. */
  static final int LINEAGE = 24;

  static final int SEQUENCE = 48;
  static final int KEY = 56;
  static final int TOMBSTONE = 24;
  static final int SCOPE = 64;
  static final int SETTING = 128;

  /** Another name, and the principal that it may be the first to mention. */
  static final int ALIAS = 768;

  private final Parameters parameters;
  private long used;

  Room(Parameters parameters) {
    this.parameters = parameters;
  }

  static int session(ClientKind kind, int nameBytes) {
    return SESSION + nameBytes + (kind == ClientKind.DURABLE ? LINEAGE : 0);
  }

  long used() {
    return used;
  }

  long left(Principal who) {
    return Math.min(
        parameters.value(Parameter.MAX_TABLE_BYTES) - used,
        parameters.value(Parameter.MAX_PRINCIPAL_BYTES) - who.bytes);
  }

  void charge(Principal who, long bytes) {
    used += bytes;
    who.bytes += bytes;
  }

  /** Another name of a principal stays for good, so nobody's quota pays for it. */
  void chargeAlias() {
    used += ALIAS;
  }

  /** The limit that stands in the way of one alias more, or empty; the reserve is not for it. */
  String obstacleToAlias(int aliases) {
    if (aliases >= parameters.value(Parameter.MAX_ALIASES)) {
      return "aliases";
    }
    return used + ALIAS > parameters.value(Parameter.MAX_TABLE_BYTES) ? "table bytes" : "";
  }

  /** The limit that stands in the way of something new that costs so much and a reply, or empty. */
  String obstacle(Principal who, long bytes) {
    long withReply = bytes + parameters.value(Parameter.MAX_REPLY_BYTES);
    return obstacle(
        who,
        withReply,
        parameters.value(Parameter.MAX_TABLE_BYTES),
        parameters.value(Parameter.MAX_PRINCIPAL_BYTES));
  }

  /** The same for closing an id that was never seen, which may use a reserve of one sixteenth. */
  String obstacleToClosing(Principal who, long bytes) {
    long table = parameters.value(Parameter.MAX_TABLE_BYTES);
    long own = parameters.value(Parameter.MAX_PRINCIPAL_BYTES);
    return obstacle(who, bytes, table + table / 16, own + own / 16);
  }

  private String obstacle(Principal who, long bytes, long table, long own) {
    if (used + bytes > table) {
      return "table bytes";
    }
    return who.bytes + bytes > own ? "principal bytes" : "";
  }
}
