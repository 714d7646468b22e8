package io.onceward.guard;

/** The time of a guard, and of a store in its process. Tests pass their own. */
interface StoreClock {
  /** Grows evenly whatever happens to the wall clock: the measure of leases and retention. */
  long nanos();

  /** Milliseconds since the epoch: for dates of keys, and for people. */
  long wallMillis();

  StoreClock SYSTEM =
      new StoreClock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long wallMillis() {
          return System.currentTimeMillis();
        }
      };
}
