package io.onceward.fuzz;

import io.onceward.SimpleDoor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Searches for bytes that upset the reader of a simple door, or that it writes otherwise. */
public final class SimpleDoorTarget {
  private SimpleDoorTarget() {}

  /** The input is a memory without its checksum. */
  public static void fuzzerTestOneInput(byte[] input) {
    Frugal.check(input.length, () -> check(input));
    CRC32C crc = new CRC32C();
    crc.update(input);
    byte[] checked = Arrays.copyOf(input, input.length + Integer.BYTES);
    ByteBuffer.wrap(checked).putInt(input.length, (int) crc.getValue());
    Frugal.check(input.length, () -> check(checked));
  }

  private static void check(byte[] bytes) {
    if (!Arrays.equals(SimpleDoor.fromBytes(bytes).toBytes(), bytes)) {
      throw new AssertionError("a second form of one memory");
    }
  }
}
