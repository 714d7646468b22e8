package io.onceward.testkit.world;

import io.onceward.DamagedException;
import io.onceward.replica.LogEntry;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.List;

/** Has every node leave out a request that stopped one of them, and starts that one again (E8). */
final class Operator {
  private record Quarantine(long position, int ordinal) {}

  private static final long RESTART_MILLIS = 500;

  private final World world;
  private final List<Quarantine> quarantined = new ArrayList<>();

  Operator(World world) {
    this.world = world;
  }

  /** Tells a replica that has applied everything up to a position what to leave out. */
  void quarantineAfter(long applied, StateMachine machine) {
    for (Quarantine quarantine : quarantined) {
      if (quarantine.position() > applied) {
        machine.quarantine(quarantine.position(), quarantine.ordinal());
      }
    }
  }

  /** A request stopped a node. */
  void poisoned(Node node, long position, byte[] entry, long wish) {
    world.trace().note("poison", node.number, position, null);
    quarantine(position, LogEntry.decode(entry), wish);
    node.crash();
    world.time().after(RESTART_MILLIS, () -> restart(node));
  }

  /**
   * After an outage, if there is one: it ends for the first nodes only, not for one that joined.
   */
  private void restart(Node node) {
    if (world.outage()) {
      world.time().after(world.restMillis() + RESTART_MILLIS, () -> restart(node));
    } else if (!node.isUp()) {
      node.start();
    }
  }

  /** Takes the first copy of the wish that is not quarantined yet; a second look finds the next. */
  private void quarantine(long position, LogEntry entry, long wish) {
    if (world.auditor().ledger().position() >= position) {
      return;
    }
    for (int ordinal = 0; ordinal < entry.proposals().size(); ordinal++) {
      Quarantine quarantine = new Quarantine(position, ordinal);
      if (isFor(wish, entry.proposals().get(ordinal)) && !quarantined.contains(quarantine)) {
        quarantined.add(quarantine);
        return;
      }
    }
  }

  private static boolean isFor(long wish, LogEntry.Proposal proposal) {
    try {
      return Wish.numberIn(RequestCodec.decode(proposal.frame())) == wish;
    } catch (DamagedException unreadable) {
      return false;
    }
  }
}
