package io.onceward.testkit.world;

import java.util.List;

/**
 * Chance that is the same for the same seed on every JVM, for ever (SplitMix64). Each concern rolls
 * dice of its own, so that a change in one does not change the luck of the others.
 */
public final class Dice {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;
  private long state;

  public Dice(long seed) {
    this.seed = seed;
    this.state = seed;
  }

  /** Dice for one concern; what was rolled before does not matter. */
  public Dice of(String concern) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < concern.length(); i++) {
      hash = (hash ^ concern.charAt(i)) * 0x100000001B3L;
    }
    return new Dice(mix(seed ^ mix(hash)));
  }

  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /** Scatters bits, also for hashes that must not change between JVMs. */
  public static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** From 0 to just below the bound. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  /** From the first to the last, both included. */
  public long between(long first, long last) {
    return first + Long.remainderUnsigned(next(), last - first + 1);
  }

  public int between(int first, int last) {
    return first + below(last - first + 1);
  }

  /** True in so many of a thousand rolls. */
  public boolean perMille(int chance) {
    return below(1000) < chance;
  }

  public <T> T pick(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  /** Mostly about the mean, sometimes much more: what waits in real networks look like. */
  public long around(long mean) {
    long drawn = between(mean / 2, mean + mean / 2);
    while (below(8) == 0 && drawn < mean * 64) {
      drawn *= 2;
    }
    return drawn;
  }
}
