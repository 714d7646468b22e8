package io.onceward.torture.hostile;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Carries out one attack at its fixed pace; late strikes are not made up for. */
final class Assailant {
  private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(1) / Siege.STRIKES_PER_SECOND;

  private Assailant() {}

  static Siege.Account attack(Attack.Aimed aimed, Siege siege, BooleanSupplier goesOn) {
    try (siege) {
      Strike strike = aimed.attack().against(siege);
      long next = System.nanoTime();
      while (goesOn.getAsBoolean()) {
        strike.now();
        next = Math.max(next + BETWEEN_NANOS, System.nanoTime() - BETWEEN_NANOS);
        LockSupport.parkNanos(next - System.nanoTime());
      }
      // Some were parted from after they were heard last.
      for (int i = 0; i < siege.account().most(); i += 100) {
        siege.listen();
      }
      return siege.account();
    }
  }
}
