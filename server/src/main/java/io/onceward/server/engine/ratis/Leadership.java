package io.onceward.server.engine.ratis;

import io.onceward.server.engine.Machine;
import io.onceward.wire.Member;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who leads, as far as this node knows, and what the machine was told about it. A node leads from
 * the moment when it has applied an entry of its own term until Ratis takes the office from it;
 * whoever learns of these two late must not undo the other one.
 */
final class Leadership {
  private final Machine machine;
  private final Notices notices;
  private final ReadBarriers barriers;

  /** The term that this node was elected for; 0 if it is not in office. */
  private long electedFor;

  private volatile long leadingTerm;
  private boolean told;
  private @Nullable Member toldLeader;

  Leadership(Machine machine, Notices notices, ReadBarriers barriers) {
    this.machine = machine;
    this.notices = notices;
    this.barriers = barriers;
  }

  /** Whether this node leads and has applied an entry of its own term. */
  boolean leading() {
    return leadingTerm > 0;
  }

  synchronized void elected(long term) {
    electedFor = term;
  }

  /**
   * An entry with which a leader of this term opens it was applied, and that leader was this node.
   */
  synchronized void ready(long term) {
    if (electedFor != term) {
      return;
    }
    leadingTerm = term;
    told = false;
    notices.post(() -> machine.leading(term));
  }

  void resigned() {
    synchronized (this) {
      electedFor = 0;
      leadingTerm = 0;
    }
    barriers.resign();
  }

  /** Tells the machine whom it follows, if that is news. */
  synchronized void refresh(Supplier<@Nullable Member> known) {
    if (electedFor > 0) {
      return;
    }
    Member leader = known.get();
    if (told && Objects.equals(leader, toldLeader)) {
      return;
    }
    told = true;
    toldLeader = leader;
    notices.post(() -> machine.following(leader));
  }
}
