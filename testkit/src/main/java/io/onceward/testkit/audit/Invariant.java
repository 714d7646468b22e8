package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Answered;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Inventory;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Told;
import org.jspecify.annotations.Nullable;

/**
 * One promise, named by its class. It hears each event once, in order, and throws a {@link
 * Violation} at the first one that breaks the promise. When a copy is judged, the {@link Ledger}
 * still shows the facts from before that copy.
 */
public abstract class Invariant {

  /** The name that a failing seed is reported under. */
  public final String name() {
    return getClass().getSimpleName();
  }

  /** A node began with the next entry of the log that nobody had applied before. */
  protected void entered(Entered entry) {}

  /** The log decided one copy of a request. */
  protected void judged(Judged copy) {}

  /** A node went through the entry at a position, as the first one or later. */
  protected void applied(int node, long position, Batch batch) {}

  protected void answered(Answered answer) {}

  protected void told(Told told) {}

  protected void shown(Shown state) {}

  protected void horizon(Horizon horizon) {}

  protected void inventory(Inventory inventory) {}

  protected void digested(Digested digest) {}

  protected void healed(Healed healed) {}

  /** Ends the run unless the promise holds. */
  protected final void check(boolean holds, String promise, @Nullable Object... whatHappened) {
    if (!holds) {
      StringBuilder text = new StringBuilder(promise).append(": ");
      for (Object part : whatHappened) {
        text.append(part);
      }
      throw new Violation(name(), text.toString());
    }
  }
}
