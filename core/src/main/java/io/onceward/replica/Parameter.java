package io.onceward.replica;

/**
 * What apply may read of its surroundings (T1). A parameter changes only by a logged {@link
 * Request.SetParameter}; every replica therefore reads the same value at the same entry.
 */
public enum Parameter {
  /** How long a key is remembered in scopes that set nothing else (K3). */
  RETENTION_MILLIS(hours(24), minutes(10), days(3650)),
  /** How long a registered or auto session may be idle (S7). */
  SESSION_EXPIRY_MILLIS(minutes(5), 1_000, days(3650)),
  /** How long a durable session may be idle (S7). */
  DURABLE_EXPIRY_MILLIS(days(7), 1_000, days(3650)),
  /** How often idle clients speak; age grows by at most twice this per entry (T3). */
  KEEP_ALIVE_MILLIS(10_000, 100, minutes(10)),
  /** The window of a session that asks for none (S5). */
  DEFAULT_WINDOW(1_024, 1, Limits.WINDOW),
  /** The largest window a session may ask for. */
  MAX_WINDOW(Limits.WINDOW, 1, Limits.WINDOW),
  /** The largest command. */
  MAX_COMMAND_BYTES(1 << 20, 1, 1 << 23),
  /** The largest reply that is kept (E9); every request in flight reserves as much (K6). */
  MAX_REPLY_BYTES(1 << 14, 0, 1 << 23),
  /** What sessions and keys may take in all before new requests are refused (K6). */
  MAX_TABLE_BYTES(2L << 30, 1 << 16, 8L << 30),
  /** What one principal's sessions and keys may take. */
  MAX_PRINCIPAL_BYTES(2L << 30, 1 << 12, 8L << 30),
  /** How many sessions one principal may have open. */
  MAX_SESSIONS_PER_PRINCIPAL(1_000_000, 1, 1 << 26),
  /** How far ahead of log time an id may be dated (K5). */
  FUTURE_MILLIS(minutes(5), 0, minutes(9)),
  /** Which behaviour apply follows, so that builds of different age agree. */
  BEHAVIOUR_LEVEL(1, 1, 1),
  /** What the state of all services may take before commands that add to it are refused (B5). */
  MAX_SERVICE_BYTES(1L << 30, 1 << 16, 8L << 30),
  /** How many other names principals may have in all; none is ever removed (L3). */
  MAX_ALIASES(1 << 12, 0, 1 << 20);

  private static final Parameter[] BY_CODE = values();
  private final long initial;
  private final long least;
  private final long most;

  Parameter(long initial, long least, long most) {
    this.initial = initial;
    this.least = least;
    this.most = most;
  }

  /** The value before anyone sets it. */
  public long initial() {
    return initial;
  }

  public long least() {
    return least;
  }

  public long most() {
    return most;
  }

  /** The number that stands for this parameter in log and snapshot; new ones go to the end. */
  public int code() {
    return ordinal();
  }

  public static Parameter ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException(
          "parameter " + code + " is unknown; 0 to " + (BY_CODE.length - 1) + " are allowed");
    }
    return BY_CODE[code];
  }

  private static long minutes(long count) {
    return count * 60_000;
  }

  private static long hours(long count) {
    return minutes(60) * count;
  }

  private static long days(long count) {
    return hours(24) * count;
  }
}
