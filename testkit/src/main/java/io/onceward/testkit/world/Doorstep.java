package io.onceward.testkit.world;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.server.Door;
import io.onceward.server.Visitor;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The door of a simulated process, and what a node does for it: brings it what arrives, hands its
 * entries to the log, and tells it what became of them. It does so as the server's node does; as
 * there, an entry that was handed to the log comes back once, applied or lost.
 *
 * <p>Everything that passes in or out is shown to the auditor.
 */
final class Doorstep implements Door.Surroundings, Entrance.Outlook {
  /** Stands for a batch when the node itself gives the cluster its id. */
  private static final Object FORMATION = new Object();

  private static final String NODE = "onceward";

  /** One connection; a caller that connects anew is another visitor. */
  private record Connection(int caller, int number, String principal) {}

  private record Arrival(Connection connection, long ticket, Question question) {}

  private record Submitted(long term, Object handle) {}

  private final Node node;
  private final World world;
  private final Entrance door;
  private final long number;
  private final Map<Connection, Guest> guests = new HashMap<>();
  private final Map<Long, Arrival> visits = new HashMap<>();
  private final TreeMap<Long, Submitted> submitted = new TreeMap<>();
  private final ArrayDeque<Runnable> outbox = new ArrayDeque<>();
  private List<Arrival> arrivals = new ArrayList<>();
  private boolean takingIn;
  private boolean draining;
  private long lastVisit;
  private long decidedPosition;

  Doorstep(Node node, World world) {
    this.node = node;
    this.world = world;
    this.number = world.nextDoor();
    this.door = world.parts().doors().make(this, world.scenario().doorLimits(), this);
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
    world
        .auditor()
        .arrived(
            new Arrived(
                number,
                visit,
                guest,
                guest.principal(),
                arrival.question(),
                world.time().nowMillis()));
    door.ask(guest, visit, arrival.question());
  }

  private Guest enter(Connection connection) {
    return new Guest(connection.principal()) {
      @Override
      public void answer(long visit, Answer answer) {
        returned(this, visit, answer);
      }
    };
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
      world
          .network()
          .send(
              node.number,
              to.caller(),
              () -> world.hear(to.caller(), to.number(), arrival.ticket(), heard));
    }
  }

  /** Does something at the door, then lets out what may leave. */
  private void atTheDoor(Runnable event) {
    event.run();
    door.flush(node.clock.nowMillis());
    drain();
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
          door.shut("");
          door.elected();
        });
  }

  /** This node leads, and has applied an entry of its own term. */
  void leading() {
    if (node.machine().clusterId().equals(ClusterId.NONE) || world.engine().formsAnew()) {
      form();
    } else {
      open();
    }
  }

  private void form() {
    ClusterId former = node.machine().clusterId();
    ClusterId id = world.engine().nextClusterId();
    Request form =
        former.equals(ClusterId.NONE)
            ? new Request.FormCluster(id)
            : new Request.ReformCluster(former, id);
    List<LogEntry.Proposal> proposals = List.of(new LogEntry.Proposal(NODE, form));
    byte[] entry = new LogEntry(former.tag(), node.clock.nowMillis(), proposals).encode();
    outbox.add(() -> submit(entry, FORMATION));
    drain();
  }

  private void open() {
    long tag = node.machine().clusterId().tag();
    world.trace().note("open", node.number, tag, null);
    atTheDoor(() -> door.open(tag));
  }

  /** Another node leads, or this one does not know who does. */
  void following(int leader) {
    atTheDoor(() -> door.shut(leader < 0 ? "" : world.address(leader)));
  }

  /** This node does not lead any more. Its log may forget at once whom it worked for. */
  void deposed(List<Door.Reads> unconfirmed) {
    boolean forgets = world.engine().forgets();
    boolean shutsFirst = world.engine().tellsRolesFirst();
    if (shutsFirst) {
      following(-1);
    }
    for (Door.Reads reads : unconfirmed) {
      atTheDoor(() -> door.unreadable(reads, "not the leader any more"));
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
      atTheDoor(() -> door.lost(batch, "not the leader any more"));
    }
  }

  /** Whether somebody waits for what is decided at this position. */
  boolean waitsFor(long position) {
    return submitted.containsKey(position);
  }

  void applied(long position, long term, List<Decision> decisions) {
    Submitted own = submitted.remove(position);
    if (own == null) {
      return;
    }
    if (own.term() != term) {
      lost(own.handle());
    } else if (own.handle() instanceof Door.Batch batch) {
      world.auditor().settled(new Settled(number, batch));
      atTheDoor(
          () -> {
            decidedPosition = position;
            door.decided(batch, decisions);
            decidedPosition = 0;
            refreshRooms(batch);
          });
    } else if (node.hasAppliedOwnTerm()) {
      world.engine().formed();
      open();
    }
  }

  private void refreshRooms(Door.Batch batch) {
    for (String principal : batch.principals()) {
      door.room(principal, room(principal));
    }
  }

  @Override
  public Door.Room room(String principal) {
    StateMachine machine = node.machine();
    return new Door.Room(
        machine.bytesLeft(principal),
        machine.parameter(Parameter.MAX_REPLY_BYTES),
        machine.parameter(Parameter.MAX_COMMAND_BYTES));
  }

  /** Lets time pass in the log while anything can expire (T3). */
  void tick() {
    boolean due = node.machine().anythingCanExpire() || door.keepAlivesWait();
    atTheDoor(
        () -> {
          if (due) {
            door.tick();
          }
        });
  }

  // What the door asks for.

  @Override
  public void propose(byte[] entry, Door.Batch batch) {
    world.auditor().proposed(number, entry, batch);
    outbox.add(() -> submit(entry, batch));
  }

  private void submit(byte[] entry, Object handle) {
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
            atTheDoor(() -> door.unreadable(reads, "not the leader any more"));
          } else {
            leadership.confirm(reads);
          }
        });
  }

  void confirmed(Door.Reads reads) {
    atTheDoor(() -> door.readable(reads));
  }

  @Override
  public void serve(Visitor visitor, long ticket, Question question) {
    ((Guest) visitor).answer(ticket, read(visitor.principal(), question));
  }

  private Answer read(String principal, Question question) {
    StateMachine machine = node.machine();
    if (question instanceof Question.OutcomeOfSequence ask) {
      return new Answer.OutcomeTold(machine.outcome(principal, ask.address(), ask.sequence()));
    }
    if (question instanceof Question.OutcomeOfKey ask) {
      return new Answer.OutcomeTold(machine.outcome(principal, ask.scope(), ask.key()));
    }
    if (question instanceof Question.SessionNamed ask) {
      return new Answer.SessionTold(
          machine.session(principal, ask.kind(), ask.name()).orElse(null),
          machine.clusterId().tag());
    }
    return new Answer.Rejected("nobody answers " + question);
  }

  @Override
  public boolean remembers(String principal, Request request) {
    return node.machine().remembers(principal, request);
  }

  @Override
  public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
    List<Key> found = new ArrayList<>();
    for (Key key : keys) {
      if (node.machine().hasReply(principal, scope, key)) {
        found.add(key);
      }
    }
    return found;
  }

  @Override
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    return node.machine().movesWatermark(principal, address, watermark);
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
  public long term() {
    return node.disk.term();
  }
}
