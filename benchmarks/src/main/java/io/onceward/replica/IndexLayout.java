package io.onceward.replica;

/**
 * What a row takes in a {@link HashIndex}, by its layout: groups of nine {@code long}s hold
 * fourteen rows. A segment is between 81 and 91 percent full while it grows; this is the middle.
 */
final class IndexLayout {
  static final double BYTES_PER_ROW = 9 * Long.BYTES / 14.0 / 0.86;

  private IndexLayout() {}
}
