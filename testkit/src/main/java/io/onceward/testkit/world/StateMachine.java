package io.onceward.testkit.world;

import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated node hosts. In every run that proves something it is the replica that ships; a
 * planted bug puts something else in its place.
 */
public interface StateMachine {

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

  long position();

  long timeMillis();

  long ageMillis();

  ClusterId clusterId();

  long parameter(Parameter parameter);

  long tableBytes();

  long bytesLeft(String principal);

  boolean anythingCanExpire();

  Outcome outcome(String principal, Request.Address address, long sequence);

  Outcome outcome(String principal, Scope scope, Key key);

  boolean remembers(String principal, Request request);

  boolean hasReply(String principal, Scope scope, Key key);

  boolean movesWatermark(String principal, Request.Address address, long watermark);

  long countOlderThan(long beforeMillis);

  long horizonMicros(Scope scope);

  Optional<Replica.SessionView> session(String principal, ClientKind kind, String name);

  List<Replica.SessionView> sessions();

  void quarantine(long position, int ordinal);

  Frozen freeze();

  String digest();
}
