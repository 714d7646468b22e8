package io.onceward.replica;

import org.jspecify.annotations.Nullable;

/**
 * One request in the log.
 *
 * @param position the entry that it stands in
 * @param ordinal which request of that entry, counted from 0
 */
public record LogPlace(long position, int ordinal) implements Comparable<LogPlace> {
  public LogPlace {
    if (position < 0
        || position >= Replica.MAX_POSITION
        || ordinal < 0
        || ordinal >= Limits.PROPOSALS) {
      throw new IllegalArgumentException("no log has a request " + position + "/" + ordinal);
    }
  }

  @Override
  public int compareTo(LogPlace other) {
    int byPosition = Long.compare(position, other.position);
    return byPosition != 0 ? byPosition : Integer.compare(ordinal, other.ordinal);
  }

  /** As {@code --quarantine} takes it. */
  @Override
  public String toString() {
    return position + "/" + ordinal;
  }

  <X extends Exception> void write(Encoder<X> out) throws X {
    out.varint(position);
    out.varint(ordinal);
  }

  /**
   * Reads a place.
   *
   * @param before the place that was read before it, which is earlier; null if it is the first
   */
  static <X extends Exception> LogPlace read(Decoder<X> in, @Nullable LogPlace before) throws X {
    long at = in.offset();
    LogPlace place =
        new LogPlace(
            in.number("position of a request", 0, Replica.MAX_POSITION - 1),
            (int) in.number("ordinal of a request", 0, Limits.PROPOSALS - 1));
    if (before != null && place.compareTo(before) <= 0) {
      throw in.damaged(at, "the places are not in order");
    }
    return place;
  }
}
