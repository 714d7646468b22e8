package io.onceward.testkit.world;

import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.server.Entrance;

/**
 * Makes the door of a simulated node at each start of its process. In every run that proves
 * something it is the door that ships; a planted bug stands around it.
 */
public interface DoorMaker {
  /** Makes the real thing. */
  DoorMaker HONEST =
      (surroundings, limits, outlook) -> new Door(surroundings, limits, new Door.Seed(1, 2));

  Entrance make(Door.Surroundings surroundings, DoorLimits limits, Outlook outlook);

  /** Whether a node says it unasked when the timing of the cluster changes (C3 needs it). */
  default boolean tellsChangedTiming() {
    return true;
  }

  /** What a door with a bug may see of its node; the real one sees nothing of it. */
  interface Outlook {
    StateMachine machine();

    /** Where the next entry that the leader proposes will stand. */
    long nextPosition();

    long term();

    /** What the wall clock of the node shows. */
    long wallMillis();
  }

  /**
   * A door with a bug that acts when its node is elected, before it applied anything of its term.
   */
  interface ActsOnElection {
    void elected();
  }
}
