package io.onceward.testkit.audit;

import io.onceward.testkit.audit.ClientEvents.KeySubmitted;
import io.onceward.testkit.audit.ClientEvents.KeyTaken;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.ClientEvents.Opened;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Read;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Taken;
import io.onceward.testkit.audit.ClientEvents.Tells;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Looked;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.testkit.audit.Events.Answered;
import io.onceward.testkit.audit.Events.Compared;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Idled;
import io.onceward.testkit.audit.Events.Inventory;
import io.onceward.testkit.audit.Events.Queried;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Told;
import java.util.List;
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

  protected void queried(Queried question) {}

  protected void inventory(Inventory inventory) {}

  protected void digested(Digested digest) {}

  protected void healed(Healed healed) {}

  protected void compared(Compared node) {}

  protected void idled(Idled session) {}

  protected void built(Built door) {}

  protected void arrived(Arrived arrival) {}

  protected void proposed(Proposed entry) {}

  protected void settled(Settled entry) {}

  protected void looked(Looked look) {}

  protected void returned(Returned answer) {}

  protected void gone(Gone door) {}

  protected void started(Started event) {}

  protected void recovered(Recovered event) {}

  protected void read(Read event) {}

  protected void opened(Opened event) {}

  protected void submitted(Submitted event) {}

  protected void sends(Sends event) {}

  protected void tells(Tells event) {}

  protected void over(Over event) {}

  protected void taken(Taken event) {}

  protected void keySubmitted(KeySubmitted event) {}

  protected void keyTells(KeyTells event) {}

  protected void keyTaken(KeyTaken event) {}

  /** Nothing is to be found; each finding is one case of the broken promise. */
  protected final void checkNone(List<String> findings, String promise) {
    if (!findings.isEmpty()) {
      throw new Violation(name(), promise + ", " + findings.size() + " of them", findings);
    }
  }

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
