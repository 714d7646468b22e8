package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.server.Tables;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated node hosts. In every run that proves something it is the replica that ships; a
 * planted bug puts something else in its place.
 */
public interface StateMachine extends Tables {

  /** Hears the decisions of a batch, in order. */
  @FunctionalInterface
  interface Audience {
    void decided(int ordinal, Decision decision);
  }

  /** What a node has: its number, its clock, and an instance of the service. */
  record Place(int node, LongSupplier clockMillis, Service service) {}

  /** Makes the state machine of a node at each start of its process. */
  interface Maker {
    StateMachine fresh(Place place);

    /** Reads what {@link StateMachine#freeze} wrote, perhaps on another node. */
    StateMachine restore(Place place, InputStream in) throws IOException;
  }

  void apply(long position, long term, byte[] entry, @Nullable Audience audience);

  long timeMillis();

  long ageMillis();

  long tableBytes();

  long horizonMicros(Scope scope);

  List<Replica.SessionView> sessions();

  void quarantine(long position, int ordinal);

  /** Whether the last entry asks each node for its digest as it is now. */
  boolean asksForDigest();

  /** The digest of the leader, if the last entry named one; else null. */
  Request.@Nullable NameDigest namedDigest();

  Frozen freeze();

  String digest();
}
