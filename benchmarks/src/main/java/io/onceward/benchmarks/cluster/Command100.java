package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;

/** The command that every request of a load carries. */
final class Command100 {
  static final Bytes BYTES = Bytes.of(hundred());

  private Command100() {}

  private static byte[] hundred() {
    byte[] bytes = new byte[100];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 37);
    }
    return bytes;
  }
}
