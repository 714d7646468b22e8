package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.server.Door;
import io.onceward.server.Visitor;
import io.onceward.wire.Question;
import java.util.List;

/** The door that ships, as a simulated node drives it. */
record RealEntrance(Door door) implements Entrance {
  /** Makes the real thing. */
  static final Maker MAKER =
      (surroundings, limits, outlook) ->
          new RealEntrance(new Door(surroundings, limits, new Door.Seed(1, 2)));

  @Override
  public void open(long clusterTag) {
    door.open(clusterTag);
  }

  @Override
  public void shut(String leader) {
    door.shut(leader);
  }

  @Override
  public void ask(Visitor visitor, long ticket, Question question) {
    door.ask(visitor, ticket, question);
  }

  @Override
  public void tick() {
    door.tick();
  }

  @Override
  public void flush(long nowMillis) {
    door.flush(nowMillis);
  }

  @Override
  public void decided(Door.Batch batch, List<Decision> decisions) {
    door.decided(batch, decisions);
  }

  @Override
  public void lost(Door.Batch batch, String reason) {
    door.lost(batch, reason);
  }

  @Override
  public void readable(Door.Reads reads) {
    door.readable(reads);
  }

  @Override
  public void unreadable(Door.Reads reads, String reason) {
    door.unreadable(reads, reason);
  }

  @Override
  public void room(String principal, Door.Room room) {
    door.room(principal, room);
  }

  @Override
  public boolean keepAlivesWait() {
    return door.keepAlivesWait();
  }
}
