package io.onceward.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.DamagedException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Changes messages and sees to it that reading them succeeds or names the damage. */
final class Mutilation {
  private final SplittableRandom random;
  private int read;
  private int refused;

  Mutilation(long seed) {
    random = new SplittableRandom(seed);
  }

  void check(byte[] message, Consumer<byte[]> decoding) {
    byte[] changed = changed(message);
    if (isRead(changed, decoding)) {
      read++;
    } else {
      refused++;
    }
  }

  static void checkTruncations(byte[] message, Consumer<byte[]> decoding) {
    for (int length = 0; length < message.length; length++) {
      isRead(Arrays.copyOf(message, length), decoding);
    }
  }

  void requireBothKindsOfEnd() {
    assertThat(read).isGreaterThan(1_000);
    assertThat(refused).isGreaterThan(1_000);
  }

  private static boolean isRead(byte[] bytes, Consumer<byte[]> decoding) {
    try {
      decoding.accept(bytes);
      return true;
    } catch (DamagedException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
      assertThat(e.reason()).isNotEmpty();
      return false;
    }
  }

  private byte[] changed(byte[] message) {
    byte[] changed =
        random.nextInt(4) == 0
            ? Arrays.copyOf(message, random.nextInt(message.length + 4))
            : message.clone();
    for (int flips = random.nextInt(4); flips > 0 && changed.length > 0; flips--) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }
}
