package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The replica that ships, as a simulated node hosts it. */
public final class ReplicaMachine implements StateMachine {
  /** Makes the real thing. */
  public static final Maker MAKER =
      new Maker() {
        @Override
        public StateMachine fresh(Place place) {
          return new ReplicaMachine(new Replica(place.service(), seed(place)));
        }

        @Override
        public StateMachine restore(Place place, InputStream in) throws IOException {
          return new ReplicaMachine(Replica.restore(place.service(), seed(place), in));
        }
      };

  private final Replica replica;

  /** Hash layouts differ between nodes, and no decision or digest may show it (T1). */
  private static long seed(Place place) {
    return Dice.mix(place.node() + 1);
  }

  private ReplicaMachine(Replica replica) {
    this.replica = replica;
  }

  @Override
  public void apply(long position, long term, byte[] entry, @Nullable Audience audience) {
    replica.apply(position, term, entry, audience == null ? null : audience::decided);
  }

  @Override
  public long position() {
    return replica.position();
  }

  @Override
  public long timeMillis() {
    return replica.timeMillis();
  }

  @Override
  public long ageMillis() {
    return replica.ageMillis();
  }

  @Override
  public ClusterId clusterId() {
    return replica.clusterId();
  }

  @Override
  public long parameter(Parameter parameter) {
    return replica.parameter(parameter);
  }

  @Override
  public long tableBytes() {
    return replica.tableBytes();
  }

  @Override
  public long bytesLeft(String principal) {
    return replica.bytesLeft(principal);
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
  public long horizonMicros(Scope scope) {
    return replica.horizonMicros(scope);
  }

  @Override
  public Optional<Replica.SessionView> session(String principal, ClientKind kind, String name) {
    return replica.session(principal, kind, name);
  }

  @Override
  public List<Replica.SessionView> sessions(long afterSession, int most) {
    return replica.sessions(afterSession, most);
  }

  @Override
  public List<Replica.SessionView> sessions() {
    return replica.sessions();
  }

  @Override
  public List<LogPlace> unconfirmedQuarantines() {
    return replica.unconfirmedQuarantines();
  }

  @Override
  public boolean asksForDigest() {
    return replica.asksForDigest();
  }

  @Override
  public Request.@Nullable NameDigest namedDigest() {
    return replica.namedDigest();
  }

  @Override
  public void quarantine(long position, int ordinal) {
    replica.quarantine(position, ordinal);
  }

  @Override
  public Frozen freeze() {
    return replica.freeze();
  }

  @Override
  public String digest() {
    return replica.digest();
  }
}
