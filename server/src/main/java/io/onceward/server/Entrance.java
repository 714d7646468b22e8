package io.onceward.server;

import io.onceward.Decision;
import io.onceward.replica.Request;
import io.onceward.wire.Question;
import java.util.List;

/**
 * What a {@link Leader} drives: the {@link Door}, whose methods say what they do. The simulator
 * puts doors with planted bugs in its place, to see that they are found.
 */
public interface Entrance {
  void open(long clusterTag);

  void shut(String leader);

  void ask(Visitor visitor, long ticket, Question question);

  void tick();

  void log(Request request);

  void flush(long stampMillis);

  void decided(Door.Batch batch, List<Decision> decisions);

  void lost(Door.Batch batch, String reason);

  boolean readable(Door.Reads reads);

  void unreadable(Door.Reads reads, String reason);

  void room(String principal, Door.Room room);

  boolean keepAlivesWait();
}
