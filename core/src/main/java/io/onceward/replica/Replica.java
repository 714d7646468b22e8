package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Replied;
import io.onceward.Fingerprint;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deterministic part of a node: session table, key table and the user's service, applied and
 * snapshotted as one.
 *
 * <p>Every decision is made here, from the log alone (E5). The same entries give the same
 * decisions, the same {@link #digest()} and the same snapshot on every node, whatever its clock,
 * its configuration, its JVM, or the snapshots that it was restored from (T1).
 *
 * <p>One thread drives it. Only what {@link #freeze()} gives may be used by another.
 */
public final class Replica {

  /** Hears the decisions of a batch, in order. Only the leader has someone to tell. */
  @FunctionalInterface
  public interface Audience {
    void decided(int ordinal, Decision decision);
  }

  /** What can be told about one session. */
  public record SessionView(
      ClientKind kind,
      String principal,
      String name,
      long session,
      long incarnation,
      long watermark,
      long nextSequence,
      int window,
      boolean ordered,
      long idleMillis) {}

  /** Incarnations are positions with an ordinal in their low bits, so positions end here. */
  static final long MAX_POSITION = 1L << 47;

  static final int ORDINAL_BITS = 16;

  /** Stands for {@link #ordinal} while no request of an entry is decided. */
  public static final int BETWEEN_REQUESTS = -1;

  final Parameters parameters = new Parameters();
  final Principals principals;
  final SessionTable sessions;
  final KeyTable keys;
  final LogClock clock = new LogClock();
  final Formation formation = new Formation();

  final Quarantine quarantine = new Quarantine();
  final EnabledServices services;

  // What the last entry said to those who compare digests; no part of the state.
  boolean asksForDigest;
  Request.@Nullable NameDigest namedDigest;

  private final Service service;
  private final Room room = new Room(parameters);
  private final Administration administration = new Administration(this);
  private final RequestDecoder decoder = new RequestDecoder();
  private int ordinal = BETWEEN_REQUESTS;
  private boolean stopped;

  /** A replica with nothing in it. */
  public Replica(Service service) {
    this(service, 0);
  }

  /**
   * A replica with nothing in it.
   *
   * @param seed a secret of this node against ids that are made to collide; it decides nothing
   */
  public Replica(Service service, long seed) {
    this.service = service;
    this.services = new EnabledServices(service);
    this.principals = new Principals(room);
    Hash hash = new Hash(seed);
    this.sessions = new SessionTable(parameters, principals, room, hash);
    this.keys = new KeyTable(parameters, principals, room, hash);
  }

  // ---- apply ----------------------------------------------------------------------------------

  /**
   * Applies one committed entry: time passes, what is due expires, then its requests are decided in
   * order.
   *
   * @param position where the entry stands in the log, above every position applied before
   * @param term the term in which the entry was proposed
   * @param audience who is told the decisions, or null
   * @throws DamagedException if the entry cannot be trusted or is of a later build; nothing changed
   * @throws MissingServiceException if the entry enables a service that is not here; nothing
   *     changed
   * @throws DifferentQuarantinesException if the entry confirms other quarantines than this replica
   *     obeyed; nothing changed
   * @throws MixedClustersException if a leader of another cluster made the entry; nothing changed
   */
  public void apply(long position, long term, byte[] entry, @Nullable Audience audience) {
    requireRunning();
    if (position <= clock.position() || position >= MAX_POSITION || term < clock.term()) {
      throw new IllegalArgumentException(
          "entry "
              + position
              + " of term "
              + term
              + " cannot follow entry "
              + clock.position()
              + " of term "
              + clock.term());
    }
    LogEntry decoded = LogEntry.decode(entry);
    List<LogEntry.Proposal> proposals = decoded.proposals();
    requireKnownTypes(proposals);
    boolean formsAgain = decoded.clusterTag() == 0 && formation.isFormed() && forms(proposals);
    if (!formsAgain && decoded.clusterTag() != formation.clusterId().tag()) {
      throw new MixedClustersException(position, decoded.clusterTag(), formation.clusterId());
    }
    if (!formsAgain) {
      // What is refused as a whole asks nothing of this node.
      requireAgreement(position, proposals);
    }
    Decision[] decisions = new Decision[proposals.size()];
    decideAll(position, term, decoded.stampMillis(), proposals, formsAgain, decisions);
    // Only now, when the entry is whole: whatever a listener does cannot leave half of it behind.
    if (audience != null) {
      for (int i = 0; i < decisions.length; i++) {
        audience.decided(i, decisions[i]);
      }
    }
  }

  private void decideAll(
      long position,
      long term,
      long stampMillis,
      List<LogEntry.Proposal> proposals,
      boolean formsAgain,
      Decision[] decisions) {
    boolean whole = false;
    stopped = true;
    ordinal = BETWEEN_REQUESTS;
    asksForDigest = false;
    namedDigest = null;
    try {
      clock.advance(position, term, stampMillis, parameters.value(Parameter.KEEP_ALIVE_MILLIS));
      sessions.store().expire(clock.ageMillis());
      keys.expire(clock.ageMillis());
      expireInService();
      Batch batch = new Batch(proposals, decoder);
      batch.lookAhead(principals, sessions.store(), keys);
      for (ordinal = 0; ordinal < decisions.length; ordinal++) {
        decisions[ordinal] =
            formsAgain
                ? Formation.ALREADY_FORMED
                : decide(batch.principal(ordinal), batch.request(ordinal), batch.row(ordinal));
      }
      ordinal = BETWEEN_REQUESTS;
      whole = true;
    } finally {
      // Half an entry must never be served nor saved, neither while it is applied nor after.
      stopped = !whole;
    }
  }

  private void expireInService() {
    try {
      service.expire(clock.ageMillis());
    } catch (RuntimeException e) {
      // The same on every replica, and nobody's reply: what ran out stays until the next entry.
      return;
    }
  }

  /** Whether an entry is meant to form a cluster. What follows in it belongs to that. */
  private static boolean forms(List<LogEntry.Proposal> proposals) {
    return !proposals.isEmpty() && RequestType.isFormation(proposals.get(0).frame());
  }

  private static void requireKnownTypes(List<LogEntry.Proposal> proposals) {
    for (int i = 0; i < proposals.size(); i++) {
      if (!RequestCodec.knownType(proposals.get(i).frame())) {
        throw new DamagedException(
            "log entry", 0, "request " + i + " is of a type that only a later build knows");
      }
    }
  }

  private void requireAgreement(long position, List<LogEntry.Proposal> proposals) {
    for (int i = 0; i < proposals.size(); i++) {
      if (RequestType.mayStopReplica(proposals.get(i).frame())) {
        requireAgreement(position, proposals.get(i).frame());
      }
    }
  }

  private void requireAgreement(long position, Bytes frame) {
    Request request;
    try {
      request = RequestCodec.decode(frame);
    } catch (DamagedException malformed) {
      return;
    }
    if (request instanceof Request.EnableService r) {
      services.requireHosted(position, r);
    } else if (request instanceof Request.ConfirmQuarantines r) {
      quarantine.requireSame(position, r);
    }
  }

  private Decision decide(String principal, @Nullable Request request, int row) {
    if (request == null) {
      return new Refused(Refusal.MALFORMED);
    }
    Principal who = principals.called(principal);
    if (request instanceof Request.InSession r) {
      boolean foreign = formation.isForeign(r.address().clusterTag());
      Fingerprint fingerprint = r.fingerprint();
      Verdict verdict =
          foreign
              ? Verdict.Refuse.because(Refusal.NO_SESSION)
              : sessions.judge(
                  who,
                  row,
                  r.address(),
                  r.sequence(),
                  r.watermark(),
                  fingerprint != null,
                  bits(fingerprint));
      return live(who, verdict, fingerprint, r.command(), sessions);
    }
    if (request instanceof Request.Keyed r) {
      keys.acknowledge(who, r.scope(), r.acknowledged());
      Fingerprint fingerprint = r.fingerprint();
      Verdict verdict =
          keys.judge(
              who, r.scope(), r.key(), fingerprint != null, bits(fingerprint), clock.timeMillis());
      return live(who, verdict, fingerprint, r.command(), keys);
    }
    if (request instanceof Request.Unkeyed r) {
      if (isTooLarge(r.command())) {
        return new Refused(Refusal.TOO_LARGE, "command");
      }
      String limit = obstacle(who, r.command());
      return limit.isEmpty()
          ? replied(execute(who, r.command()))
          : new Refused(Refusal.OVERLOADED, limit);
    }
    if (Administration.asksService(request) && isQuarantined()) {
      obeyQuarantine();
      return Administration.QUARANTINED;
    }
    return administration.decide(who, request, clock.position() << ORDINAL_BITS | ordinal);
  }

  /**
   * The life of a request: its id was looked up before anything else (E1), and either it is
   * answered from memory, or it executes and its reply is remembered in the same step (E6).
   */
  private Decision live(
      Principal who,
      Verdict verdict,
      @Nullable Fingerprint fingerprint,
      Bytes command,
      Memory memory) {
    if (verdict instanceof Verdict.Replay replay) {
      return new Replied(replay.reply(), true, replay.position(), replay.timeMillis());
    }
    if (verdict instanceof Verdict.Refuse refuse) {
      return refuse.decision();
    }
    if (isTooLarge(command)) {
      return new Refused(Refusal.TOO_LARGE, "command");
    }
    String limit = memory.obstacle(who);
    if (limit.isEmpty()) {
      limit = obstacle(who, command);
    }
    if (!limit.isEmpty()) {
      return new Refused(Refusal.OVERLOADED, limit);
    }
    Reply reply = execute(who, command);
    memory.remember(
        who, clock.position(), clock.timeMillis(), fingerprint != null, bits(fingerprint), reply);
    return replied(reply);
  }

  /** The limit of the service that stands in the way of a command, or empty (B5). */
  private String obstacle(Principal who, Bytes payload) {
    if (isQuarantined()) {
      return "";
    }
    try {
      String limit =
          service.obstacle(
              command(who, payload),
              parameters.value(Parameter.MAX_SERVICE_BYTES) - service.stateBytes());
      return limit.length() <= Limits.LIMIT_NAME_CHARACTERS
          ? limit
          : limit.substring(0, Limits.LIMIT_NAME_CHARACTERS);
    } catch (RuntimeException e) {
      return "";
    }
  }

  /** Whether the service keeps anything for this principal. */
  boolean serviceOwns(Principal who) {
    try {
      return service.owns(who.name);
    } catch (RuntimeException e) {
      return true;
    }
  }

  /** Tells the service that what this principal sends comes as another from here on. */
  void renamed(Principal who, Principal successor) {
    try {
      service.renamed(who.name, successor.name);
    } catch (RuntimeException e) {
      // As with a command: what it has done stays, and is the same on every node (E8).
    }
  }

  private boolean isQuarantined() {
    return quarantine.orders(clock.position(), ordinal, formation.clusterId());
  }

  private void obeyQuarantine() {
    quarantine.obey(new LogPlace(clock.position(), ordinal));
  }

  private Command command(Principal who, Bytes payload) {
    return new Command(payload, who.name, clock.position(), clock.timeMillis(), clock.ageMillis());
  }

  /** Calls the service; whatever comes of it is a reply (E8, E9), unless it is an Error. */
  private Reply execute(Principal who, Bytes command) {
    if (isQuarantined()) {
      obeyQuarantine();
      return Reply.FAILED;
    }
    Reply reply;
    try {
      reply = service.execute(command(who, command));
      if (reply.kind() == Reply.Kind.FAILED || reply.kind() == Reply.Kind.REPLY_TOO_LARGE) {
        reply = new Reply(reply.kind(), Bytes.EMPTY);
      }
    } catch (RuntimeException e) {
      return Reply.FAILED;
    }
    return reply.bytes().length() > parameters.value(Parameter.MAX_REPLY_BYTES)
        ? Reply.REPLY_TOO_LARGE
        : reply;
  }

  private Replied replied(Reply reply) {
    return new Replied(reply, false, clock.position(), clock.timeMillis());
  }

  private boolean isTooLarge(Bytes command) {
    return command.length() > parameters.value(Parameter.MAX_COMMAND_BYTES);
  }

  private static long bits(@Nullable Fingerprint fingerprint) {
    return fingerprint == null ? 0 : fingerprint.bits();
  }

  /**
   * Lets the request at this place answer {@link Reply#FAILED} without calling the service; one of
   * an administrator that the service takes part in is rejected instead. For what stops the node
   * with an {@code Error}: an operator does this on every node alike, before the entry is applied.
   * Later the log confirms it, and stops a replica that did otherwise (E8).
   */
  public void quarantine(long position, int ordinal) {
    quarantine.order(new LogPlace(position, ordinal), null);
  }

  /** The same in one cluster only: another one has other requests at the same places (S1). */
  public void quarantine(LogPlace place, ClusterId cluster) {
    quarantine.order(place, cluster);
  }

  private void requireRunning() {
    if (stopped) {
      throw new IllegalStateException(
          "this replica stopped inside entry "
              + clock.position()
              + (ordinal == BETWEEN_REQUESTS
                  ? "; restore it from a snapshot"
                  : ", request "
                      + ordinal
                      + "; restore it from a snapshot, quarantine that request if it must not run"
                      + " again"));
    }
  }

  // ---- questions ------------------------------------------------------------------------------

  /** The last applied position. */
  public long position() {
    return clock.position();
  }

  /** The term of the last applied entry. */
  public long term() {
    return clock.term();
  }

  /** Log time (T2). */
  public long timeMillis() {
    return clock.timeMillis();
  }

  /** Age (T3). */
  public long ageMillis() {
    return clock.ageMillis();
  }

  /** What this replica answered as failed, quarantined, and the log has not confirmed yet (E8). */
  public List<LogPlace> unconfirmedQuarantines() {
    return quarantine.unconfirmed();
  }

  /** Whether the last entry asks each node for the digest of its replica as it is now. */
  public boolean asksForDigest() {
    return asksForDigest;
  }

  /** The digest of the leader's replica, if the last entry named one; else null. */
  public Request.@Nullable NameDigest namedDigest() {
    return namedDigest;
  }

  public ClusterId clusterId() {
    return formation.clusterId();
  }

  /** The services that the log has put in force, in order. */
  public SortedSet<String> enabledServices() {
    return services.names();
  }

  /** The services that this node could host, which is no part of the replicated state. */
  public SortedSet<String> offeredServices() {
    return service.offers();
  }

  /** Whether this is the state of the cluster that has or had this id, or of one not formed yet. */
  public boolean belongsTo(ClusterId id) {
    return formation.belongsTo(id);
  }

  public long parameter(Parameter parameter) {
    return parameters.value(parameter);
  }

  /** Bytes that sessions and keys account for (K6). */
  public long tableBytes() {
    return room.used();
  }

  /**
   * The memory of the pages in which sessions and keys stand: at most about twice {@link
   * #tableBytes} and a few megabytes, unless the tables have just shrunk. It differs between nodes.
   */
  public long heldBytes() {
    return sessions.store().heldBytes() + keys.heldBytes();
  }

  /** Bytes that the services account for (B5). */
  public long serviceBytes() {
    return service.stateBytes();
  }

  /** What a principal may still add, by its own quota and by that of all (K6). */
  public long bytesLeft(String principal) {
    return room.left(principals.called(principal));
  }

  /** How many sessions are open. */
  public long sessionCount() {
    return sessions.store().size();
  }

  /** How many keys are remembered, tombstones included. */
  public long keyCount() {
    return keys.size();
  }

  /**
   * Which request of the entry at {@link #position()} is being decided, or stopped the replica;
   * {@link #BETWEEN_REQUESTS} if none.
   */
  public int ordinal() {
    return ordinal;
  }

  /** Whether a tick would make anything expire some day (T3). */
  public boolean anythingCanExpire() {
    return sessions.store().size() > 0 || keys.size() > 0 || serviceCanExpire();
  }

  private boolean serviceCanExpire() {
    try {
      return service.canExpire();
    } catch (RuntimeException e) {
      return true;
    }
  }

  /** What is known of a sequence, asked by the incarnation that sent it (O1). */
  public Outcome outcome(String principal, Request.Address address, long sequence) {
    return formation.isForeign(address.clusterTag())
        ? new Outcome.NoSession()
        : sessions.outcome(principals.called(principal), address, sequence);
  }

  /** What is known of a key (O1). */
  public Outcome outcome(String principal, Scope scope, Key key) {
    return keys.outcome(principals.called(principal), scope, key);
  }

  /**
   * Whether a copy of this request takes no room, because it is answered from memory or refused for
   * good (E1, K6). An undated key without a record is neither, whatever records were dropped: it
   * would execute.
   */
  public boolean remembers(String principal, Request request) {
    Outcome outcome;
    if (request instanceof Request.InSession r) {
      outcome = outcome(principal, r.address(), r.sequence());
    } else if (request instanceof Request.Keyed r) {
      outcome = outcome(principal, r.scope(), r.key());
      if (outcome instanceof Outcome.NoRecordSince since) {
        return r.key().isDated() && r.key().dateMicros() <= since.horizonMicros();
      }
    } else {
      return true;
    }
    return !(outcome instanceof Outcome.NeverSeen);
  }

  /**
   * The limit that a request which takes room without executing anything would meet now, or empty:
   * an opening, an abandon, a setting or another name is not even to be logged then (K6). What is
   * refused for another reason, or would take no room, meets none.
   */
  public String obstacleToAdding(String principal, Request request) {
    return administration.obstacle(principals.called(principal), request);
  }

  /** Whether acknowledging this key would drop a reply (K2). */
  public boolean hasReply(String principal, Scope scope, Key key) {
    return keys.hasReply(principals.called(principal), scope, key);
  }

  /** Whether this watermark would be applied and is above the session's (S5). */
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    return !formation.isForeign(address.clusterTag())
        && sessions.movesWatermark(principals.called(principal), address, watermark);
  }

  /** Asks the service; nothing is remembered. What it throws harms its asker alone. */
  public Reply query(String principal, Bytes question) {
    requireRunning();
    return Objects.requireNonNull(
        service.query(command(principals.called(principal), question)),
        "the service gave no reply");
  }

  /** How many records a {@link Request.ForgetByAge} with this bound would drop (K4). */
  public long countByAge(long beforeAgeMillis) {
    return keys.countByAge(beforeAgeMillis);
  }

  /** How many records a {@link Request.Forget} with this bound would drop (K4). */
  public long countOlderThan(long beforeMillis) {
    return keys.countOlderThan(beforeMillis);
  }

  /**
   * The date up to which dated keys of this scope are refused without a record, in microseconds
   * since the epoch; 0 while nothing was dropped (K5).
   */
  public long horizonMicros(Scope scope) {
    return keys.scopes().setting(scope).retention().horizonMicros;
  }

  /** The session of a durable or auto name. */
  public Optional<SessionView> session(String principal, ClientKind kind, String name) {
    return sessions.view(principals.called(principal), kind, name);
  }

  /** All sessions in the order in which they were opened. */
  public List<SessionView> sessions() {
    return sessions(0, Integer.MAX_VALUE);
  }

  /** A page of them: those that were opened after the session {@code after}, at most so many. */
  public List<SessionView> sessions(long after, int most) {
    return sessions.store().views(after, most);
  }

  // ---- snapshots ------------------------------------------------------------------------------

  /**
   * Tables and service at the last applied entry, to be written by any thread while applying goes
   * on. It stands between entries, never inside one (E6).
   */
  public Frozen freeze() {
    requireRunning();
    return new ReplicaSnapshot(this, service.freeze());
  }

  /**
   * Reads what {@link #freeze()} wrote.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  public static Replica restore(Service service, InputStream in) throws IOException {
    return restore(service, 0, in);
  }

  /** Reads what {@link #freeze()} wrote; the seed is as in the constructor. */
  public static Replica restore(Service service, long seed, InputStream in) throws IOException {
    Replica replica = new Replica(service, seed);
    ReplicaSnapshot.read(in, replica, service);
    return replica;
  }

  /**
   * The {@link #digest()} of the state as it is now, to be computed once, by any thread, while
   * applying goes on.
   */
  public Supplier<String> freezeDigest() {
    requireRunning();
    return new ReplicaSnapshot(this, service.freeze())::digest;
  }

  /** SHA-256 of the snapshot that could be taken now, in hexadecimal; equal on equal replicas. */
  public String digest() {
    requireRunning();
    return new ReplicaSnapshot(this, service.freeze()).digest();
  }
}
