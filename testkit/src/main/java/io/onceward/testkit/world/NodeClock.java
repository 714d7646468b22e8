package io.onceward.testkit.world;

/** A node's wall clock: it starts wrong, drifts, and jumps. */
final class NodeClock {
  /** 2026-01-01T00:00:00Z, the moment at which every world begins. */
  static final long EPOCH_MILLIS = 1_767_225_600_000L;

  private static final long MILLION = 1_000_000;

  private final VirtualTime time;
  private long offsetMillis;
  private long driftPerMillion;
  private long sinceMillis;

  NodeClock(VirtualTime time, long offsetMillis, long driftPerMillion) {
    this.time = time;
    this.offsetMillis = offsetMillis;
    this.driftPerMillion = driftPerMillion;
  }

  long nowMillis() {
    long elapsed = time.nowMillis() - sinceMillis;
    return EPOCH_MILLIS + time.nowMillis() + offsetMillis + elapsed * driftPerMillion / MILLION;
  }

  void jump(long millis) {
    offsetMillis += millis;
  }

  void drift(long perMillion) {
    offsetMillis += (time.nowMillis() - sinceMillis) * driftPerMillion / MILLION;
    sinceMillis = time.nowMillis();
    driftPerMillion = perMillion;
  }

  /** Sets it right, as a time service would, at once. */
  void correct() {
    offsetMillis = 0;
    driftPerMillion = 0;
    sinceMillis = time.nowMillis();
  }
}
