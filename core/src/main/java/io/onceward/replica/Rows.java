package io.onceward.replica;

/** Reads and writes fields of blocks by name; what {@link Blocks} stores, seen as rows. */
final class Rows {
  private final Blocks blocks;

  Rows(Blocks blocks) {
    this.blocks = blocks;
  }

  /** The page of a row, for reading several fields at {@link Blocks#offset}. */
  byte[] page(int row) {
    return blocks.page(row);
  }

  /** The page of a row, for writing several fields. */
  byte[] writable(int row) {
    return blocks.writable(row);
  }

  long longAt(int row, int field) {
    return (long) Blocks.LONG.get(blocks.page(row), Blocks.offset(row) + field);
  }

  int intAt(int row, int field) {
    return (int) Blocks.INT.get(blocks.page(row), Blocks.offset(row) + field);
  }

  void setLong(int row, int field, long value) {
    Blocks.LONG.set(blocks.writable(row), Blocks.offset(row) + field, value);
  }

  void setInt(int row, int field, int value) {
    Blocks.INT.set(blocks.writable(row), Blocks.offset(row) + field, value);
  }
}
