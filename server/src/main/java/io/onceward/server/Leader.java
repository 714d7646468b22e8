package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a node does with its door as it gains and loses leadership: it forms the cluster if nobody
 * has (S1), opens and shuts the door, tells it how much room there is (K6), lets time pass in the
 * log (T3), answers reads from the tables, and tells visitors what is expected of idle clients.
 *
 * <p>A plain object, like the door: events come in, what it wants done goes to its {@link
 * Surroundings}, and time is an argument of {@link #flush}, which follows every event. The server's
 * node and the simulator both drive it. One thread at a time does so.
 */
public final class Leader<D extends Entrance> implements Door.Surroundings {

  /** What a leader asks of the node that it belongs to. */
  public interface Surroundings {
    /**
     * Hands an entry to the log; {@link #applied} or {@link #lost} gets the handle back, once. Must
     * not call the leader.
     */
    void submit(byte[] entry, Object handle);

    /**
     * Confirms that this node still leads; {@link #confirmed} or {@link #unconfirmed} hears of it.
     * Must not call the leader.
     */
    void confirm(Door.Reads reads);

    /** Whether the cluster has no id yet, or was restored from a backup and must get another. */
    boolean needsClusterId();

    /**
     * Something went wrong that must not: this node has to stop, loudly (E8). Must not call the
     * leader.
     */
    void broken(String what, Throwable cause);

    /** Reads from the tables, while no entry is applied. */
    <T> T read(Function<Tables, T> reading);
  }

  /** For {@link #dueMillis}: nothing is due. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The handle of the entry that gives the cluster its id. */
  private static final Object FORMATION = new Object();

  /** What a leader logs by itself is repeated so long after it was lost. */
  private static final long AGAIN_MILLIS = 100;

  /** Answers of this many bytes are enough for one turn at the door. */
  private static final long MUCH_BYTES = 256L << 10;

  /** What a leader looks at after every entry. */
  private record Look(long position, long keepAliveMillis, List<LogPlace> unconfirmed) {
    static final Look NOTHING = new Look(0, 0, List.of());

    static Look at(Tables tables) {
      return new Look(
          tables.position(),
          tables.parameter(Parameter.KEEP_ALIVE_MILLIS),
          tables.unconfirmedQuarantines());
    }
  }

  private enum Formation {
    NOT_NEEDED,
    NEEDED,
    UNDER_WAY,
    LOST,
    NEEDED_AGAIN
  }

  private final Surroundings surroundings;
  private final D door;
  private final long partBytes;
  private ClusterId clusterIdIfNew = ClusterId.NONE;
  private final LeaderClock clock = new LeaderClock();
  private final TimingNews news = new TimingNews();
  private boolean leads;
  private boolean open;
  private String otherLeader = "";
  private Formation formation = Formation.NOT_NEEDED;
  private long formAtMillis;
  private boolean ticks;
  private long lastTickMillis;
  private final Comparisons comparisons = new Comparisons();
  private Look look = Look.NOTHING;
  private long confirmedUpTo;
  private boolean compares;
  private boolean changed;
  private long lastNamed;
  private @Nullable Request confirming;
  private @Nullable Request naming;
  private boolean lostSome;
  private long comparesAgainMillis = NEVER;
  private long servedBytes;

  /**
   * A node that does not lead yet.
   *
   * @param partBytes what the tables may take, and the services, if this node forms the cluster
   */
  public Leader(
      Surroundings surroundings, Function<Door.Surroundings, D> doorMaker, long partBytes) {
    this.surroundings = surroundings;
    this.partBytes = partBytes;
    this.door = doorMaker.apply(this);
  }

  /** Whether this node's replica is the same as that of who leads, this node or another. */
  public Comparisons comparisons() {
    return comparisons;
  }

  /** Where questions are brought. */
  public D door() {
    return door;
  }

  // ---- visitors -------------------------------------------------------------------------------

  /** Somebody asks something, here or at the door; to be called before the question is. */
  public void meets(Visitor visitor) {
    if (!visitor.greeted) {
      // Not from the tables: while a snapshot is installed, they cannot be read for seconds.
      news.greet(visitor);
    }
  }

  /** This one is gone and hears nothing any more. */
  public void leaves(Visitor visitor) {
    news.forget(visitor);
  }

  // ---- leadership -----------------------------------------------------------------------------

  /**
   * This node leads, and has applied an entry of its own term.
   *
   * @param clusterIdIfNew the id of the cluster, should it have none yet
   */
  public void leading(ClusterId clusterIdIfNew) {
    leads = true;
    clock.restart();
    this.clusterIdIfNew = clusterIdIfNew;
    openOrForm();
  }

  /**
   * This node does not lead (any more).
   *
   * @param leader where clients reach the leader; empty if unknown
   */
  public void following(String leader) {
    leads = false;
    open = false;
    ticks = false;
    otherLeader = leader;
    formation = Formation.NOT_NEEDED;
    lostSome = false;
    comparesAgainMillis = NEVER;
    door.shut(leader);
  }

  private void openOrForm() {
    if (surroundings.needsClusterId()) {
      formation = Formation.NEEDED;
      return;
    }
    formation = Formation.NOT_NEEDED;
    open = true;
    look = surroundings.read(Look::at);
    confirmedUpTo = 0;
    compares = false;
    changed = true;
    lastNamed = 0;
    confirming = null;
    naming = null;
    lostSome = false;
    comparesAgainMillis = NEVER;
    door.open(surroundings.read(Tables::clusterId).tag());
  }

  /**
   * The first entry: it names the cluster and fits the tables to the memory of its nodes (T1). A
   * leader that has to repeat it, because the log lost it, names the same id: both may be applied.
   */
  private void form(long stampMillis) {
    formation = Formation.UNDER_WAY;
    ClusterId former = surroundings.read(Tables::clusterId);
    if (!former.equals(ClusterId.NONE)) {
      submitFormation(
          former,
          stampMillis,
          List.of(proposal(new Request.ReformCluster(former, clusterIdIfNew))));
      return;
    }
    List<LogEntry.Proposal> first = new ArrayList<>();
    first.add(proposal(new Request.FormCluster(clusterIdIfNew)));
    first.add(proposal(new Request.SetParameter(Parameter.MAX_TABLE_BYTES, partBytes)));
    first.add(proposal(new Request.SetParameter(Parameter.MAX_PRINCIPAL_BYTES, partBytes)));
    first.add(proposal(new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, partBytes)));
    // What is added later, an administrator enables when every node hosts it.
    for (String name : surroundings.read(Tables::offeredServices)) {
      first.add(proposal(new Request.EnableService(name)));
    }
    submitFormation(former, stampMillis, first);
  }

  private void submitFormation(
      ClusterId former, long stampMillis, List<LogEntry.Proposal> proposals) {
    surroundings.submit(new LogEntry(former.tag(), stampMillis, proposals).encode(), FORMATION);
  }

  private static LogEntry.Proposal proposal(Request request) {
    return new LogEntry.Proposal(Door.NODE, request);
  }

  private boolean isUnnamed() {
    return surroundings.read(Tables::clusterId).equals(ClusterId.NONE);
  }

  /** Whether the door is open. */
  public boolean isOpen() {
    return open;
  }

  /** What visitors are told while the door is shut. */
  Answer elsewhere() {
    return new Answer.NotLeader(otherLeader);
  }

  // ---- what became of entries -----------------------------------------------------------------

  /**
   * An entry was applied: one of this node, or one that changed the timing, or, while this node
   * leads, any. Or a snapshot was installed.
   *
   * @param handle what it was submitted with; null if by others
   * @param decisions those of the entry, if there is a handle
   */
  public void applied(@Nullable Object handle, List<Decision> decisions) {
    if (handle instanceof Door.Batch batch) {
      door.decided(batch, decisions);
      for (String principal : batch.principals()) {
        door.room(principal, room(principal));
        changed |= !principal.equals(Door.NODE);
      }
    } else {
      changed = true;
    }
    if (leads && !open && !surroundings.needsClusterId()) {
      openOrForm();
    }
    Timing timing = surroundings.read(Tables::timing);
    news.isNow(timing);
    if (open) {
      look = surroundings.read(Look::at);
    }
  }

  /** What became of an entry that was submitted here cannot be known here (O3). */
  public void lost(Object handle, String reason) {
    if (handle instanceof Door.Batch batch) {
      if (open) {
        repeatComparisonIn(batch);
      }
      door.lost(batch, reason);
    } else if (formation == Formation.UNDER_WAY && isUnnamed()) {
      // An entry that renames a cluster is not repeated: a second one would be of no cluster.
      formation = Formation.LOST;
    }
  }

  /** If it was applied all the same, nodes compare once more than they would. */
  private void repeatComparisonIn(Door.Batch lost) {
    boolean compared =
        confirming != null
            && (lost.carries(confirming) || lost.carries(new Request.CompareDigests()));
    boolean named = naming != null && lost.carries(naming);
    if (compared) {
      compares = true;
    }
    if (named) {
      lastNamed = 0;
    }
    lostSome |= compared || named;
  }

  // ---- time -----------------------------------------------------------------------------------

  /**
   * Lets out what may leave now; a tick, if one is due. To be called after every event, and at
   * {@link #dueMillis}.
   *
   * @param wallMillis the node's wall clock
   * @param monotonicMillis a clock of the node that never jumps and starts anywhere
   */
  public void flush(long wallMillis, long monotonicMillis) {
    long stampMillis = clock.stampMillis(wallMillis, monotonicMillis);
    if (formation == Formation.LOST) {
      formation = Formation.NEEDED_AGAIN;
      formAtMillis = monotonicMillis + AGAIN_MILLIS;
    }
    if (formation == Formation.NEEDED
        || formation == Formation.NEEDED_AGAIN && formAtMillis <= monotonicMillis) {
      form(stampMillis);
    }
    if (open) {
      tickIfDue(monotonicMillis);
      if (lostSome) {
        lostSome = false;
        comparesAgainMillis = monotonicMillis + AGAIN_MILLIS;
      }
      if (comparesAgainMillis == NEVER || comparesAgainMillis <= monotonicMillis) {
        comparesAgainMillis = NEVER;
        confirmAndCompare();
      }
    }
    door.flush(stampMillis);
    news.flush(monotonicMillis);
  }

  /** Lets time pass in the log while anything can expire, or somebody waits for it (T3, S7). */
  private void tickIfDue(long monotonicMillis) {
    if (!ticks) {
      ticks = true;
      lastTickMillis = monotonicMillis;
    } else if (lastTickMillis + look.keepAliveMillis <= monotonicMillis) {
      lastTickMillis = monotonicMillis;
      if (door.keepAlivesWait() || surroundings.read(Tables::anythingCanExpire)) {
        door.tick();
      }
    }
  }

  /**
   * This node has written a snapshot: a good time to see whether all nodes are the same. But what a
   * leader logs for that is no reason for the next time.
   */
  public void snapshotWritten() {
    compares = open && (compares || changed);
  }

  /** A digest of this node was left out, for which there would be room now. */
  void comparesAgain() {
    compares = open;
  }

  /**
   * Names in the log what this replica answered as failed because it is quarantined (E8), and asks
   * all nodes for their digests: after each snapshot, and when a quarantine was obeyed.
   */
  private void confirmAndCompare() {
    List<LogPlace> places = look.unconfirmed;
    boolean obeyedMore =
        !places.isEmpty() && places.get(places.size() - 1).position() > confirmedUpTo;
    if (obeyedMore || compares && !comparisons.isComputing()) {
      compares = false;
      changed = false;
      confirmedUpTo = look.position;
      // With no place in it, it stops a follower that alone was told of a quarantine.
      confirming = new Request.ConfirmQuarantines(look.position, places);
      door.log(confirming);
      door.log(new Request.CompareDigests());
    }
    Comparisons.Own own = comparisons.unnamed();
    if (own != null && own.position() > lastNamed) {
      lastNamed = own.position();
      Bytes digest = Bytes.of(HexFormat.of().parseHex(own.digest()));
      naming = new Request.NameDigest(own.position(), digest);
      door.log(naming);
    }
  }

  /** How far this leader's stamps are ahead of its wall clock; 0 if it does not lead (T2). */
  long stampAheadMillis() {
    return leads ? clock.aheadMillis() : 0;
  }

  /**
   * When {@link #flush} has something to do even if nothing happens, by the monotonic clock: the
   * next tick, one keep-alive interval after the last, by the interval that is in force now (T3), a
   * comparison that was lost, or news for visitors.
   */
  public long dueMillis() {
    long due = formation == Formation.NEEDED_AGAIN ? formAtMillis : NEVER;
    if (ticks) {
      due = lastTickMillis + look.keepAliveMillis;
    }
    return Math.min(Math.min(due, comparesAgainMillis), news.dueMillis());
  }

  // ---- reading --------------------------------------------------------------------------------

  /**
   * This node was confirmed as leader, so what waited may be read.
   *
   * @return whether there is a rest, for which to call this again after others had their turn
   */
  public boolean confirmed(Door.Reads reads) {
    servedBytes = 0;
    return door.readable(reads);
  }

  /** This node could not be confirmed as leader. */
  public void unconfirmed(Door.Reads reads, String reason) {
    door.unreadable(reads, reason);
  }

  @Override
  public void serve(Visitor visitor, long ticket, Question question) {
    if (!visitor.postpones(ticket, question)) {
      lookUp(visitor, ticket, question);
    }
  }

  /**
   * Answers from the tables, whatever happens: others wait for the answers that come after this.
   */
  void lookUp(Visitor visitor, long ticket, Question question) {
    Answer answer;
    try {
      answer = surroundings.read(tables -> Reading.answer(tables, visitor.principal(), question));
    } catch (Tables.NotWholeException stopping) {
      answer = new Answer.Unavailable("this node has to stop: " + stopping.getMessage());
    } catch (RuntimeException problem) {
      // Nothing was changed; and a question that stops one node would stop the next one too (L2).
      answer = new Answer.Rejected("the question could not be answered: " + problem);
    } catch (Throwable problem) {
      surroundings.broken("a question could not be answered", problem);
      answer = new Answer.Unavailable("this node has to stop: " + problem);
    }
    visitor.answer(ticket, answer);
    if (answer instanceof Answer.QueryTold told) {
      servedBytes += told.reply().bytes().length();
    } else if (question instanceof Question.ListSessions) {
      // A page takes long to gather, however short it is told: one is enough for a turn.
      servedBytes += MUCH_BYTES + 1;
    }
  }

  /** A visitor goes on with what it had postponed. */
  void readsOn() {
    servedBytes = 0;
  }

  @Override
  public boolean servedMuch() {
    return servedBytes > MUCH_BYTES;
  }

  // ---- what else the door asks for ------------------------------------------------------------

  @Override
  public void propose(byte[] entry, Door.Batch batch) {
    surroundings.submit(entry, batch);
  }

  @Override
  public void confirm(Door.Reads reads) {
    surroundings.confirm(reads);
  }

  @Override
  public Door.Room room(String principal) {
    return surroundings.read(
        tables ->
            new Door.Room(
                tables.bytesLeft(principal),
                tables.parameter(Parameter.MAX_REPLY_BYTES),
                tables.parameter(Parameter.MAX_COMMAND_BYTES)));
  }

  @Override
  public boolean hosts(String service) {
    return surroundings.read(Tables::offeredServices).contains(service);
  }

  @Override
  public boolean remembers(String principal, Request request) {
    return surroundings.read(tables -> tables.remembers(principal, request));
  }

  @Override
  public String obstacleToAdding(String principal, Request request) {
    return surroundings.read(tables -> tables.obstacleToAdding(principal, request));
  }

  @Override
  public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
    return surroundings.read(
        tables -> {
          List<Key> found = new ArrayList<>();
          for (Key key : keys) {
            if (tables.hasReply(principal, scope, key)) {
              found.add(key);
            }
          }
          return found;
        });
  }

  @Override
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    return surroundings.read(tables -> tables.movesWatermark(principal, address, watermark));
  }
}
