package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.server.Visitor;
import io.onceward.wire.Question;
import java.util.List;

/**
 * The door as a simulated node drives it. In every run that proves something it is the door that
 * ships; a planted bug stands around it.
 */
public interface Entrance {

  /** Makes the door of a node at each start of its process. */
  interface Maker {
    Entrance make(Door.Surroundings surroundings, DoorLimits limits, Outlook outlook);
  }

  /** What a door with a bug may see of its node; the real one sees nothing of it. */
  interface Outlook {
    StateMachine machine();

    /** Where the next entry that the leader proposes will stand. */
    long nextPosition();

    long term();
  }

  /** This node was elected, and has not applied anything of its own term yet. */
  default void elected() {}

  void open(long clusterTag);

  void shut(String leader);

  void ask(Visitor visitor, long ticket, Question question);

  void tick();

  void flush(long nowMillis);

  void decided(Door.Batch batch, List<Decision> decisions);

  void lost(Door.Batch batch, String reason);

  void readable(Door.Reads reads);

  void unreadable(Door.Reads reads, String reason);

  void room(String principal, Door.Room room);

  boolean keepAlivesWait();
}
