package io.onceward.testkit.teeth;

import io.onceward.testkit.Simulation;
import org.jspecify.annotations.Nullable;

/** Lets the simulator loose on planted bugs and sees which of its invariants notices. */
public final class Teeth {
  /**
   * How a bug was noticed.
   *
   * @param seeds how many seeds it took, or all that were tried
   * @param invariant the one that noticed; null if none did
   */
  public record Bite(PlantedBug bug, int seeds, @Nullable String invariant, String whatHappened) {
    public boolean caught() {
      return invariant != null;
    }
  }

  private final long activeMillis;
  private final int mostSeeds;
  private final boolean withModel;

  public Teeth(long activeMillis, int mostSeeds, boolean withModel) {
    this.activeMillis = activeMillis;
    this.mostSeeds = mostSeeds;
    this.withModel = withModel;
  }

  /** Tries one seed after the other until an invariant notices the bug. */
  public Bite bite(PlantedBug bug) {
    for (int seed = 1; seed <= mostSeeds; seed++) {
      Simulation.Report report =
          new Simulation(activeMillis, bug.parts(), withModel, null).run(seed);
      String broken = report.broken();
      if (broken != null) {
        // What only makes the simulator fall over has not been noticed by any invariant.
        boolean noticed = !broken.equals(Simulation.NOTHING_THROWS);
        return new Bite(bug, seed, noticed ? broken : null, report.whatHappened());
      }
    }
    return new Bite(bug, mostSeeds, null, "");
  }
}
