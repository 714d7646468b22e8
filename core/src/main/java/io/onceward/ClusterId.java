package io.onceward;

/**
 * 128 random bits made when a cluster is formed or restored from a backup. A restored cluster
 * issues old log positions again, so an incarnation means something only together with its cluster
 * id.
 */
public record ClusterId(long high, long low) {
  /** The id of a cluster that is not formed yet. */
  public static final ClusterId NONE = new ClusterId(0, 0);

  /** The 64 bits that every session request carries, enough to tell a foreign cluster. */
  public long tag() {
    return high;
  }

  /** Reads what {@link #toString()} prints. */
  public static ClusterId parse(String printed) {
    if (!printed.matches("[0-9a-f]{32}")) {
      throw new IllegalArgumentException("a cluster id is 32 hexadecimal digits (0-9, a-f)");
    }
    return new ClusterId(
        Long.parseUnsignedLong(printed.substring(0, 16), 16),
        Long.parseUnsignedLong(printed.substring(16), 16));
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
