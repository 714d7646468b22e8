package io.onceward.cli;

/** A number of bytes as people read it. */
final class ByteCount {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private ByteCount() {}

  static String print(long bytes) {
    long shown = bytes;
    int unit = 0;
    while (shown >= 10_000 && unit < UNITS.length - 1) {
      shown /= 1_024;
      unit++;
    }
    return shown + " " + UNITS[unit];
  }
}
