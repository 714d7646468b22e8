package io.onceward.testkit.world;

import java.util.ArrayList;
import java.util.List;

/**
 * Who leads. Votes are counted at once, by Raft's rule: a node votes once per term, and only for a
 * candidate whose log is at least as new as its own. A leader that is cut off is not told.
 */
final class Elections {
  private static final long CHECK_MILLIS = 120;
  private static final long QUIET_CHECK_MILLIS = 2_000;

  private final World world;
  private final Dice dice;
  private int checksWithoutLeader;

  Elections(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  void begin() {
    world
        .time()
        .after(
            world.resting() ? QUIET_CHECK_MILLIS : CHECK_MILLIS,
            () -> {
              check();
              begin();
            });
  }

  private void check() {
    if (someoneCanLead()) {
      checksWithoutLeader = 0;
    } else if (++checksWithoutLeader > 1 + dice.below(3)) {
      hold();
    }
  }

  private boolean someoneCanLead() {
    for (int number = 0; number < world.nodes(); number++) {
      Leadership leadership = world.node(number).leadership();
      if (leadership != null && reachable(number).size() > world.nodes() / 2) {
        boolean latest = true;
        for (Node other : reachable(number)) {
          latest &= other.disk.term() <= leadership.term();
        }
        if (latest) {
          return true;
        }
      }
    }
    return false;
  }

  /** Some node stands for election, whether or not another one leads. */
  void hold() {
    Node candidate = world.node(dice.below(world.nodes()));
    if (!candidate.isUp()) {
      return;
    }
    long term = candidate.disk.term() + 1;
    List<Node> reachable = reachable(candidate.number);
    for (Node voter : reachable) {
      term = Math.max(term, voter.disk.term() + 1);
    }
    List<Node> votes = new ArrayList<>();
    for (Node voter : reachable) {
      if (!isNewer(voter.disk, candidate.disk)) {
        votes.add(voter);
      }
    }
    if (votes.size() > world.nodes() / 2) {
      for (Node voter : votes) {
        voter.learnTerm(term);
      }
      checksWithoutLeader = 0;
      candidate.lead(term);
    }
  }

  private List<Node> reachable(int from) {
    List<Node> reachable = new ArrayList<>();
    for (int number = 0; number < world.nodes(); number++) {
      if (world.node(number).isUp() && world.network().connected(from, number)) {
        reachable.add(world.node(number));
      }
    }
    return reachable;
  }

  private static boolean isNewer(Disk one, Disk other) {
    long term = one.termAt(one.last());
    long otherTerm = other.termAt(other.last());
    return term != otherTerm ? term > otherTerm : one.last() > other.last();
  }
}
