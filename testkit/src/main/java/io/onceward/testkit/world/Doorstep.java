package io.onceward.testkit.world;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.server.Door;
import io.onceward.server.Entrance;
import io.onceward.server.Leader;
import io.onceward.server.Tables;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Looked;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.testkit.audit.Events.Compared;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The leader and the door of a simulated process, and what the threads of a node do for them: it
 * brings what arrives, hands entries to the log, tells what became of them, and wakes the leader
 * when something is due. As in the server, an entry that was handed to the log comes back once,
 * applied or lost.
 *
 * <p>Everything that passes in or out is shown to the auditor.
 */
final class Doorstep implements Leader.Surroundings, DoorMaker.Outlook {
  /** One connection; a caller that connects anew is another visitor. */
  private record Connection(int caller, int number, String principal) {}

  private record Arrival(Connection connection, long ticket, Question question) {}

  private record Submitted(long term, Object handle) {}

  /** What a connection is told unasked, until it arrives. */
  private record News(long number, Timing timing) {}

  private final Node node;
  private final World world;
  private final Leader<Entrance> leader;
  private final long number;
  private final Map<Connection, Guest> guests = new HashMap<>();
  private final Map<Connection, News> news = new HashMap<>();
  private final Map<Long, Arrival> visits = new HashMap<>();
  private final TreeMap<Long, Submitted> submitted = new TreeMap<>();
  private final ArrayDeque<Runnable> outbox = new ArrayDeque<>();
  private List<Arrival> arrivals = new ArrayList<>();
  private boolean takingIn;
  private boolean draining;
  private long reign;
  private long wakingAtMillis = Leader.NEVER;
  private long lastVisit;
  private long lastNews;
  private long decidedPosition;
  private final TreeMap<Long, String> ownDigests = new TreeMap<>();
  private long lastNamed;

  Doorstep(Node node, World world) {
    this.node = node;
    this.world = world;
    this.number = world.nextDoor();
    this.leader =
        new Leader<>(
            this,
            around -> world.parts().doors().make(around, world.scenario().doorLimits(), this),
            Parameter.MAX_TABLE_BYTES.initial());
    world.auditor().built(new Built(number, world.scenario().doorLimits()));
  }

  long number() {
    return number;
  }

  // What the network brings and takes.

  /** A question reaches this node, which looks at what came in every so often. */
  void arrive(int caller, int connection, String principal, long ticket, Question question) {
    arrivals.add(new Arrival(new Connection(caller, connection, principal), ticket, question));
    if (!takingIn) {
      takingIn = true;
      world.time().after(world.scenario().groupMillis(), this::takeIn);
    }
  }

  private void takeIn() {
    if (!node.isAt(this)) {
      return;
    }
    takingIn = false;
    List<Arrival> taken = arrivals;
    arrivals = new ArrayList<>();
    atTheDoor(() -> taken.forEach(this::ask));
  }

  private void ask(Arrival arrival) {
    Guest guest = guests.computeIfAbsent(arrival.connection(), this::enter);
    long visit = ++lastVisit;
    visits.put(visit, arrival);
    StateMachine machine = node.machine();
    world
        .auditor()
        .arrived(
            new Arrived(
                number,
                visit,
                guest,
                guest.principal(),
                arrival.question(),
                world.time().nowMillis(),
                machine.bytesLeft(guest.principal()),
                machine.parameter(Parameter.MAX_REPLY_BYTES)));
    leader.meets(guest);
    leader.door().ask(guest, visit, arrival.question());
  }

  /** Somebody is there who asks this node what it knows without asking its door. */
  void greet(int caller, int connection, String principal) {
    Guest guest =
        guests.computeIfAbsent(new Connection(caller, connection, principal), this::enter);
    atTheDoor(() -> leader.meets(guest));
  }

  private Guest enter(Connection connection) {
    return new Guest(connection.principal()) {
      private boolean knowsTheFirst;

      @Override
      protected void timing(Timing timing) {
        if (!knowsTheFirst || world.parts().doors().tellsChangedTiming()) {
          knowsTheFirst = true;
          News one = new News(++lastNews, timing);
          news.put(connection, one);
          send(connection, one);
        }
      }

      @Override
      public void answer(long visit, Answer answer) {
        returned(this, visit, answer);
      }
    };
  }

  /** Sends it until it is there, or something newer is under way instead. */
  private void send(Connection to, News one) {
    if (!node.isAt(this) || !one.equals(news.get(to))) {
      return;
    }
    world.network().send(node.number, to.caller(), () -> bring(to, one.number()));
    world
        .time()
        .after(
            Math.max(LibraryProcess.STREAM_RETRY_MILLIS, world.restMillis()), () -> send(to, one));
  }

  /** Whatever was sent up to this number has arrived: a stream keeps its order. */
  private void bring(Connection to, long upTo) {
    News latest = news.get(to);
    if (latest != null && latest.number() <= upTo) {
      news.remove(to);
      world.timing(to.caller(), to.number(), latest.timing());
    }
  }

  private void returned(Guest guest, long visit, Answer answer) {
    Arrival arrival = visits.remove(visit);
    StateMachine machine = node.machine();
    world
        .auditor()
        .returned(
            new Returned(
                number,
                visit,
                guest.principal(),
                arrival == null ? null : arrival.question(),
                answer,
                decidedPosition > 0,
                node.hasAppliedOwnTerm(),
                machine.position(),
                machine.bytesLeft(guest.principal()),
                machine.parameter(Parameter.MAX_REPLY_BYTES),
                machine.parameter(Parameter.MAX_COMMAND_BYTES)));
    if (arrival != null) {
      Connection to = arrival.connection();
      Heard heard = new Heard(answer, decidedPosition, machine.position());
      long upTo = lastNews;
      world
          .network()
          .send(
              node.number,
              to.caller(),
              () -> {
                bring(to, upTo);
                world.hear(to.caller(), to.number(), arrival.ticket(), heard);
              });
    }
  }

  /** Does something at the door, then lets out what may leave. */
  private void atTheDoor(Runnable event) {
    event.run();
    leader.flush(node.clock.nowMillis(), world.time().nowMillis());
    wakeAt(leader.dueMillis());
    drain();
  }

  /** Shows the auditor how things stand. */
  void look() {
    world
        .auditor()
        .looked(
            new Looked(
                number,
                reign,
                world.time().nowMillis(),
                leader.isOpen(),
                leader.door().keepAlivesWait() || node.machine().anythingCanExpire(),
                node.applied()));
  }

  private void wakeAt(long millis) {
    if (millis == wakingAtMillis) {
      return;
    }
    wakingAtMillis = millis;
    if (millis != Leader.NEVER) {
      long delayMillis = Math.max(0, millis - world.time().nowMillis());
      world.time().after(delayMillis, () -> wake(millis));
    }
  }

  private void wake(long millis) {
    if (millis == wakingAtMillis && node.isAt(this)) {
      wakingAtMillis = Leader.NEVER;
      atTheDoor(() -> {});
    }
  }

  /** What leaves may come back at once, and then waits its turn. */
  private void drain() {
    if (draining) {
      return;
    }
    draining = true;
    while (!outbox.isEmpty() && node.isAt(this)) {
      outbox.remove().run();
    }
    draining = false;
  }

  // What the log does.

  /** This node was elected; what its predecessors committed is still to be applied. */
  void elected() {
    atTheDoor(
        () -> {
          leader.following("");
          if (leader.door() instanceof DoorMaker.ActsOnElection bug) {
            bug.elected();
          }
        });
  }

  /** This node leads, and has applied an entry of its own term. */
  void leading() {
    ClusterId clusterIdIfNew = world.engine().nextClusterId();
    reign++;
    atTheDoor(() -> leader.leading(clusterIdIfNew));
    noteOpening();
  }

  private void noteOpening() {
    if (leader.isOpen()) {
      world.trace().note("open", node.number, node.machine().clusterId().tag(), null);
    }
  }

  /** Another node leads, or this one does not know who does. */
  void following(int other) {
    atTheDoor(() -> leader.following(other < 0 ? "" : world.address(other)));
  }

  /** This node does not lead any more. Its log may forget at once whom it worked for. */
  void deposed(List<Door.Reads> unconfirmed) {
    boolean forgets = world.engine().forgets();
    boolean shutsFirst = world.engine().tellsRolesFirst();
    if (shutsFirst) {
      following(-1);
    }
    for (Door.Reads reads : unconfirmed) {
      atTheDoor(() -> leader.unconfirmed(reads, "not the leader any more"));
    }
    if (forgets) {
      loseFrom(0);
    }
    if (!shutsFirst) {
      following(-1);
    }
  }

  /** Entries from here on are not in this node's log any more. */
  void loseFrom(long position) {
    while (!submitted.isEmpty() && submitted.lastKey() >= position) {
      lost(submitted.pollLastEntry().getValue().handle());
    }
  }

  /** What was applied up to here was applied elsewhere, and came as a snapshot. */
  void loseUpTo(long position) {
    while (!submitted.isEmpty() && submitted.firstKey() <= position) {
      lost(submitted.pollFirstEntry().getValue().handle());
    }
  }

  private void lost(Object handle) {
    if (handle instanceof Door.Batch batch) {
      world.auditor().settled(new Settled(number, batch));
    }
    atTheDoor(() -> leader.lost(handle, "not the leader any more"));
  }

  /** Whether somebody waits for what is decided at this position. */
  boolean waitsFor(long position) {
    return submitted.containsKey(position);
  }

  void applied(long position, long term, List<Decision> decisions) {
    Submitted own = submitted.remove(position);
    if (own != null && own.term() != term) {
      lost(own.handle());
      own = null;
    }
    if (own == null) {
      atTheDoor(() -> leader.applied(null, List.of()));
      return;
    }
    Object handle = own.handle();
    if (handle instanceof Door.Batch batch) {
      world.auditor().settled(new Settled(number, batch));
    } else {
      world.engine().formed();
    }
    atTheDoor(
        () -> {
          decidedPosition = position;
          leader.applied(handle, decisions);
          decidedPosition = 0;
        });
    if (!(handle instanceof Door.Batch)) {
      noteOpening();
    }
  }

  // Comparing with the other nodes.

  /** The node has written a snapshot. */
  void snapshotWritten() {
    atTheDoor(leader::snapshotWritten);
  }

  /** Whether the node is to compute the digest that the log asks for. */
  boolean comparisonBegins() {
    return leader.comparisons().begin();
  }

  /**
   * The node has computed a digest.
   *
   * @param ofPresentState whether no other state was installed meanwhile
   */
  void digestComputed(long position, String digest, boolean ofPresentState) {
    if (ofPresentState) {
      ownDigests.put(position, digest);
    }
    atTheDoor(() -> leader.comparisons().computed(position, digest));
  }

  void digestNamed(Request.NameDigest named) {
    lastNamed = named.position();
    String digest = HexFormat.of().formatHex(named.digest().toArray());
    atTheDoor(() -> leader.comparisons().named(named.position(), digest));
  }

  /** Another state was installed. */
  void stateReplaced() {
    ownDigests.clear();
    atTheDoor(() -> leader.comparisons().replaced());
  }

  /** Whether the node was compared with its leader at any entry after this one. */
  boolean wasComparedSince(long position) {
    return lastNamed > position && ownDigests.containsKey(lastNamed);
  }

  Compared compared(long since) {
    return new Compared(
        node.number,
        since,
        new TreeMap<>(ownDigests),
        leader.comparisons().difference(),
        node.machine().unconfirmedQuarantines());
  }

  /** This node goes on from a snapshot that another one sent. */
  void restored() {
    atTheDoor(() -> leader.applied(null, List.of()));
  }

  // What the leader asks for.

  @Override
  public void submit(byte[] entry, Object handle) {
    if (handle instanceof Door.Batch batch) {
      world
          .auditor()
          .proposed(
              new Proposed(number, reign, world.time().nowMillis(), LogEntry.decode(entry), batch));
    }
    outbox.add(() -> hand(entry, handle));
  }

  private void hand(byte[] entry, Object handle) {
    Leadership leadership = node.leadership();
    if (leadership == null) {
      lost(handle);
      return;
    }
    submitted.put(nextPosition(), new Submitted(leadership.term(), handle));
    leadership.propose(entry);
    if (world.engine().repeats()) {
      node.later(world.engine().repeatMillis(), () -> repeat(entry));
    }
  }

  /** The engine lost track of what it did with the entry, and appends it again. */
  private void repeat(byte[] entry) {
    Leadership leadership = node.leadership();
    if (leadership != null && isOfThisCluster(LogEntry.decode(entry).clusterTag())) {
      leadership.propose(entry);
    }
  }

  /** No engine takes an entry along into the cluster that was made from a backup of this one. */
  private boolean isOfThisCluster(long clusterTag) {
    return clusterTag == 0
        || clusterTag == node.machine().clusterId().tag() && !world.engine().formsAnew();
  }

  @Override
  public void confirm(Door.Reads reads) {
    outbox.add(
        () -> {
          Leadership leadership = node.leadership();
          if (leadership == null) {
            atTheDoor(() -> leader.unconfirmed(reads, "not the leader any more"));
          } else {
            leadership.confirm(reads);
          }
        });
  }

  /** A rest takes its turn with what else happens. */
  void confirmed(Door.Reads reads) {
    if (!node.isAt(this)) {
      return;
    }
    atTheDoor(
        () -> {
          if (leader.confirmed(reads)) {
            world.time().after(1, () -> confirmed(reads));
          }
        });
  }

  @Override
  public void broken(String what, Throwable cause) {
    throw new IllegalStateException(what, cause);
  }

  @Override
  public <T> T read(Function<Tables, T> reading) {
    return reading.apply(node.machine());
  }

  @Override
  public boolean needsClusterId() {
    return world.engine().formsAnew() || node.machine().clusterId().equals(ClusterId.NONE);
  }

  // What a door with a bug may see.

  @Override
  public StateMachine machine() {
    return node.machine();
  }

  @Override
  public long nextPosition() {
    return node.disk.last() + 1;
  }

  @Override
  public long wallMillis() {
    return node.clock.nowMillis();
  }

  @Override
  public long term() {
    return node.disk.term();
  }
}
