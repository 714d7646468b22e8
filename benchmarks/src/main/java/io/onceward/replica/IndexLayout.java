package io.onceward.replica;

/**
 * What a row takes in a {@link HashIndex}, by its layout: a tag and a reference. Segments grow by
 * an eighth when they are almost nine tenths full; this is the middle.
 */
final class IndexLayout {
  static final double BYTES_PER_ROW = (Byte.BYTES + Integer.BYTES) / 0.85;

  private IndexLayout() {}
}
