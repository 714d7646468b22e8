package io.onceward.torture;

import java.util.Random;

/** What a run draws from its seed. Java promises that it draws the same in every version. */
final class Dice extends Random {
  private static final long serialVersionUID = 1L;

  Dice(long seed) {
    super(seed);
  }

  int between(int least, int most) {
    return least + nextInt(most - least + 1);
  }
}
