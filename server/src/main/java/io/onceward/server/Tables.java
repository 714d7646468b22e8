package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.wire.Timing;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** What a leader reads from its replica, always between two entries; it changes nothing. */
public interface Tables {
  /** An entry or a snapshot got only a part of the way into the tables, and the node stops. */
  final class NotWholeException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotWholeException(Throwable cause) {
      super("the tables of this node are not whole: " + Reasons.of(cause), cause);
    }
  }

  ClusterId clusterId();

  /** The last applied position. */
  long position();

  /** What was answered as failed because it is quarantined, and is not confirmed yet (E8). */
  default List<LogPlace> unconfirmedQuarantines() {
    return List.of();
  }

  long parameter(Parameter parameter);

  /** What is expected of idle clients. */
  default Timing timing() {
    return new Timing(
        parameter(Parameter.KEEP_ALIVE_MILLIS),
        parameter(Parameter.SESSION_EXPIRY_MILLIS),
        parameter(Parameter.DURABLE_EXPIRY_MILLIS));
  }

  long bytesLeft(String principal);

  boolean anythingCanExpire();

  /** The services that this node could host; the log says which are in force (T1). */
  default SortedSet<String> offeredServices() {
    return Collections.emptySortedSet();
  }

  Outcome outcome(String principal, Request.Address address, long sequence);

  Outcome outcome(String principal, Scope scope, Key key);

  boolean remembers(String principal, Request request);

  /** The limit that a request which only takes room would meet now; or empty (K6). */
  String obstacleToAdding(String principal, Request request);

  boolean hasReply(String principal, Scope scope, Key key);

  boolean movesWatermark(String principal, Request.Address address, long watermark);

  Reply query(String principal, Bytes question);

  long countOlderThan(long beforeMillis);

  long countByAge(long beforeAgeMillis);

  Optional<SessionView> session(String principal, ClientKind kind, String name);

  List<SessionView> sessions(long afterSession, int most);

  /** The tables of a replica, which it answers as they are at that moment. */
  static Tables of(Replica replica) {
    return new OfReplica(replica);
  }

  /** Hands each question on. */
  record OfReplica(Replica replica) implements Tables {
    @Override
    public ClusterId clusterId() {
      return replica.clusterId();
    }

    @Override
    public long position() {
      return replica.position();
    }

    @Override
    public List<LogPlace> unconfirmedQuarantines() {
      return replica.unconfirmedQuarantines();
    }

    @Override
    public long parameter(Parameter parameter) {
      return replica.parameter(parameter);
    }

    @Override
    public long bytesLeft(String principal) {
      return replica.bytesLeft(principal);
    }

    @Override
    public SortedSet<String> offeredServices() {
      return replica.offeredServices();
    }

    @Override
    public boolean anythingCanExpire() {
      return replica.anythingCanExpire();
    }

    @Override
    public Outcome outcome(String principal, Request.Address address, long sequence) {
      return replica.outcome(principal, address, sequence);
    }

    @Override
    public Outcome outcome(String principal, Scope scope, Key key) {
      return replica.outcome(principal, scope, key);
    }

    @Override
    public boolean remembers(String principal, Request request) {
      return replica.remembers(principal, request);
    }

    @Override
    public String obstacleToAdding(String principal, Request request) {
      return replica.obstacleToAdding(principal, request);
    }

    @Override
    public boolean hasReply(String principal, Scope scope, Key key) {
      return replica.hasReply(principal, scope, key);
    }

    @Override
    public boolean movesWatermark(String principal, Request.Address address, long watermark) {
      return replica.movesWatermark(principal, address, watermark);
    }

    @Override
    public Reply query(String principal, Bytes question) {
      return replica.query(principal, question);
    }

    @Override
    public long countOlderThan(long beforeMillis) {
      return replica.countOlderThan(beforeMillis);
    }

    @Override
    public long countByAge(long beforeAgeMillis) {
      return replica.countByAge(beforeAgeMillis);
    }

    @Override
    public Optional<SessionView> session(String principal, ClientKind kind, String name) {
      return replica.session(principal, kind, name);
    }

    @Override
    public List<SessionView> sessions(long afterSession, int most) {
      return replica.sessions(afterSession, most);
    }
  }
}
