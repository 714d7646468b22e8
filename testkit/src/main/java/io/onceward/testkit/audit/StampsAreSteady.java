package io.onceward.testkit.audit;

import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import java.util.HashMap;
import java.util.Map;

/**
 * While a node leads, its stamps go on as time does, however its wall clock jumps: between any two
 * of them they gain or lose a tenth of the time at most, and they never go back (T2).
 */
public final class StampsAreSteady extends Invariant {
  /** Stamps are whole milliseconds, and so is time. */
  private static final long ROUNDING_MILLIS = 2;

  private static final int TENTH = 10;

  private final Map<Long, Proposed> latest = new HashMap<>();

  @Override
  protected void built(Built door) {
    latest.remove(door.door());
  }

  @Override
  protected void gone(Gone door) {
    latest.remove(door.door());
  }

  @Override
  protected void proposed(Proposed entry) {
    Proposed before = latest.put(entry.door(), entry);
    if (before == null || before.reign() != entry.reign()) {
      return;
    }
    long passed = entry.nowMillis() - before.nowMillis();
    long stamped = entry.entry().stampMillis() - before.entry().stampMillis();
    check(
        stamped >= 0 && Math.abs(stamped - passed) <= passed / TENTH + ROUNDING_MILLIS,
        "the stamps of a leader did not go on as time did",
        stamped,
        " ms in ",
        passed,
        " ms, ",
        entry);
  }
}
