package io.onceward.cli.demo;

import io.onceward.cli.demo.Fault.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which faults come, when, and in which order; the same for the same seed and length. Every kind
 * has its turn before any comes twice, and the first is always the death of the leader.
 */
final class FaultPlan {
  private static final long QUIET_AT_START_MILLIS = 3_000;
  static final long QUIET_AT_END_MILLIS = 2_000;
  private static final long LEAST_GAP_MILLIS = 1_200;
  private static final long MOST_GAP_MILLIS = 2_800;

  /**
   * A fault and its time, counted from the end of the one before: what takes long to heal puts the
   * others off, instead of meeting them.
   */
  record Entry(long afterMillis, Fault fault) {}

  private final Random dice;
  private final List<Fault> bag = new ArrayList<>();

  private FaultPlan(long seed) {
    // Java promises that this one draws the same numbers in every version.
    this.dice = new Random(seed);
  }

  /**
   * The faults of a run that lasts this long, in order; healed in no time, all are over by then.
   */
  static List<Entry> of(long seed, long lengthMillis) {
    return new FaultPlan(seed).entries(lengthMillis);
  }

  private List<Entry> entries(long lengthMillis) {
    List<Entry> entries = new ArrayList<>();
    long after = Math.min(QUIET_AT_START_MILLIS, lengthMillis / 4);
    Fault fault = new Fault.KillNode(Target.LEADER, between(1_000, 2_500));
    long end = after + fault.millis();
    while (end + QUIET_AT_END_MILLIS <= lengthMillis) {
      entries.add(new Entry(after, fault));
      after = between(LEAST_GAP_MILLIS, MOST_GAP_MILLIS);
      fault = draw();
      end += after + fault.millis();
    }
    return entries;
  }

  private Fault draw() {
    if (bag.isEmpty()) {
      bag.addAll(allKinds());
      Collections.shuffle(bag, dice);
    }
    return bag.remove(bag.size() - 1);
  }

  private List<Fault> allKinds() {
    return List.of(
        new Fault.KillNode(Target.LEADER, between(1_000, 3_000)),
        new Fault.KillNode(Target.FOLLOWER, between(1_000, 3_000)),
        new Fault.KillAllNodes(between(200, 800)),
        new Fault.PauseNode(Target.LEADER, between(800, 3_000)),
        new Fault.PauseNode(Target.LEADER, between(800, 3_000)),
        new Fault.PauseNode(Target.FOLLOWER, between(500, 3_000)),
        new Fault.CutConnections(Target.LEADER),
        new Fault.CutConnections(Target.LEADER),
        new Fault.CutAllConnections(),
        new Fault.RefuseConnections(Target.LEADER, between(300, 1_500)),
        new Fault.StallConnections(Target.LEADER, between(500, 3_000)),
        new Fault.KillClient(dice.nextInt(100), between(100, 1_500)),
        new Fault.KillClient(dice.nextInt(100), between(100, 1_500)));
  }

  private long between(long least, long most) {
    return least + dice.nextInt((int) (most - least));
  }
}
