package io.onceward.testkit.world;

import io.onceward.Frozen;
import io.onceward.replica.DifferentQuarantinesException;
import io.onceward.replica.MixedClustersException;
import io.onceward.replica.Request;
import io.onceward.server.Door;
import io.onceward.testkit.audit.Batch;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Way;
import io.onceward.testkit.audit.Violation;
import io.onceward.testkit.world.Disk.Logged;
import io.onceward.testkit.world.Disk.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One member of the simulated cluster: a disk that survives, a clock that lies, and a process that
 * comes and goes. The process follows or leads, applies what is committed, and cuts snapshots while
 * it goes on applying.
 *
 * <p>The log is modelled at the level of terms and majorities: votes are cast at once by {@link
 * Elections}, everything else travels through the {@link Network}. So a deposed leader does not
 * know it, its entries may be lost or commit later, and followers lag.
 */
final class Node {
  final int number;
  final Disk disk = new Disk();
  final NodeClock clock;
  private final World world;
  private @Nullable Life life;
  private int starts;
  private int clearings;
  private boolean hasAnotherPast;

  Node(int number, World world, NodeClock clock) {
    this.number = number;
    this.world = world;
    this.clock = clock;
  }

  /** What a crash takes away. */
  final class Life {
    private final StateMachine machine;
    private final Doorstep doorstep;
    private @Nullable Leadership leadership;
    private Batch batch = new Batch();
    private long applied;
    private long commit;
    private long stalledUntilMillis;
    private int leader = -1;
    private boolean applying;
    private boolean snapshotUnderWay;
    private long snapshotDuePosition;

    /** A process that starts, or that goes on from another snapshot with the same door. */
    private Life(@Nullable Doorstep before) {
      StateMachine.Place place =
          new StateMachine.Place(
              number,
              clock::nowMillis,
              new WishService(number, execution -> batch.executed(execution)));
      Snapshot snapshot = disk.snapshot();
      if (snapshot == null) {
        machine = world.maker().fresh(place);
      } else {
        machine = restore(place, snapshot);
        applied = snapshot.position();
        commit = snapshot.position();
      }
      world.operator().quarantineAfter(applied, machine);
      snapshotDuePosition = applied + world.scenario().snapshotEveryEntries();
      doorstep = before == null ? new Doorstep(Node.this, world) : before;
    }

    private StateMachine restore(StateMachine.Place place, Snapshot snapshot) {
      try {
        StateMachine restored =
            world.maker().restore(place, new ByteArrayInputStream(snapshot.bytes()));
        if (!hasAnotherPast) {
          world
              .auditor()
              .digested(new Digested(number, snapshot.position(), Way.RESTORED, restored.digest()));
        }
        return restored;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  boolean isUp() {
    return life != null;
  }

  void start() {
    starts++;
    world.trace().note("start", number, starts, null);
    life = new Life(null);
    life.doorstep.restored();
  }

  /** Starts with the folder of another cluster (S1). */
  void startWithAnotherPast() {
    hasAnotherPast = true;
    start();
  }

  /** It noticed that the log is not that of its cluster, and stopped; the operator clears it. */
  private void beginAnew() {
    world.trace().note("foreign", number, starts, null);
    crash();
    hasAnotherPast = false;
    disk.clear();
    clearings++;
    world.forgetProgress(number);
    start();
  }

  void crash() {
    world.trace().note("crash", number, starts, null);
    world.auditor().gone(new Gone(running().doorstep.number()));
    life = null;
  }

  /** Whether this node leads, and has applied an entry of the term in which it does. */
  boolean hasAppliedOwnTerm() {
    return life != null
        && life.leadership != null
        && life.applied >= life.leadership.firstPosition();
  }

  /** How far the running process has applied; 0 if none runs. */
  long applied() {
    return life == null ? 0 : life.applied;
  }

  /** The running process's state machine. */
  StateMachine machine() {
    return running().machine;
  }

  /** The running process's door. */
  Doorstep doorstep() {
    return running().doorstep;
  }

  /** Whether the running process is the one with this door. */
  boolean isAt(Doorstep doorstep) {
    return life != null && life.doorstep == doorstep;
  }

  @Nullable Leadership leadership() {
    return life == null ? null : life.leadership;
  }

  /** Whom this node believes to lead; -1 if it has no idea. */
  int believedLeader() {
    return life == null ? -1 : life.leadership != null ? number : life.leader;
  }

  private Life running() {
    if (life == null) {
      throw new IllegalStateException("node " + number + " is down");
    }
    return life;
  }

  /** Runs something for the process as it is now; a later one never hears of it. */
  void later(long delayMillis, Runnable action) {
    int start = starts;
    world
        .time()
        .after(
            delayMillis,
            () -> {
              if (life != null && starts == start) {
                action.run();
              }
            });
  }

  /** A majority voted for this node. */
  void lead(long term) {
    Life now = running();
    now.leadership = new Leadership(this, world, term);
    now.leadership.begin();
  }

  /** Learns of a term; whoever leads an earlier one stops. */
  void learnTerm(long term) {
    if (term > disk.term()) {
      disk.promise(term);
      Life now = life;
      if (now != null && now.leadership != null) {
        world.trace().note("deposed", number, term, null);
        List<Door.Reads> unconfirmed = now.leadership.end();
        now.leadership = null;
        now.leader = -1;
        now.doorstep.deposed(unconfirmed);
      }
    }
  }

  /** Makes applying wait, as a slow disk or a long pause would. */
  void stall(long millis) {
    if (life != null) {
      life.stalledUntilMillis = world.time().nowMillis() + millis;
      later(millis, this::applyCommitted);
    }
  }

  // What followers hear.

  /** Entries from a leader, or none, with what it has committed. */
  void append(Leadership.Append message) {
    if (message.term() < disk.term()) {
      reply(message.leader(), leader -> leader.rejected(number, disk.term(), 0));
      return;
    }
    learnTerm(message.term());
    Life now = running();
    follow(now, message.leader());
    Snapshot snapshot = disk.snapshot();
    long surelyCommon = snapshot == null ? 0 : snapshot.position();
    long previous = message.previous();
    if (previous > surelyCommon && disk.termAt(previous) != message.previousTerm()) {
      long hint = Math.min(disk.last(), previous - 1);
      reply(message.leader(), leader -> leader.rejected(number, message.term(), hint));
      return;
    }
    List<Logged> entries = message.entries();
    for (int i = 0; i < entries.size(); i++) {
      long position = previous + 1 + i;
      if (position > surelyCommon && disk.termAt(position) != entries.get(i).term()) {
        if (position <= now.commit) {
          throw new IllegalStateException("a committed entry would be lost at " + position);
        }
        disk.truncateFrom(position);
        now.doorstep.loseFrom(position);
        disk.append(entries.get(i));
      }
    }
    long matched = previous + entries.size();
    now.commit = Math.max(now.commit, Math.min(message.commit(), matched));
    applyCommitted();
    if (life == now) {
      long commit = now.commit;
      long round = message.round();
      reply(message.leader(), leader -> leader.accepted(number, matched, commit, round));
    }
  }

  /** A snapshot, since the leader has purged the entries that this node lacks. */
  void install(long term, int leader, Snapshot snapshot, long round) {
    if (term < disk.term()) {
      reply(leader, to -> to.rejected(number, disk.term(), 0));
      return;
    }
    learnTerm(term);
    Life now = running();
    if (snapshot.position() > now.applied) {
      world.trace().note("install", number, snapshot.position(), null);
      disk.install(snapshot);
      hasAnotherPast = false;
      starts++;
      now = new Life(now.doorstep);
      life = now;
      now.doorstep.stateReplaced();
      now.doorstep.loseUpTo(snapshot.position());
      now.doorstep.restored();
    }
    follow(now, leader);
    long matched = Math.max(snapshot.position(), now.applied);
    reply(leader, to -> to.accepted(number, matched, matched, round));
  }

  private static void follow(Life now, int leader) {
    if (now.leader != leader) {
      now.leader = leader;
      now.doorstep.following(leader);
    }
  }

  private void reply(int leader, Consumer<Leadership> message) {
    long term = disk.term();
    int clearing = clearings;
    Node to = world.node(leader);
    world
        .network()
        .send(
            number,
            leader,
            () -> {
              Leadership leadership = to.leadership();
              // What was said before its folder was cleared is not true any more.
              if (leadership != null && leadership.term() <= term && clearing == clearings) {
                message.accept(leadership);
              }
            });
  }

  // Applying.

  void committed(long position) {
    Life now = running();
    now.commit = Math.max(now.commit, position);
    applyCommitted();
  }

  long commit() {
    return life == null ? 0 : life.commit;
  }

  /** Answers to what is applied may bring about the next entry, which then waits its turn. */
  void applyCommitted() {
    Life now = life;
    if (now == null || now.applying) {
      return;
    }
    now.applying = true;
    applyWhatIsThere(now);
    now.applying = false;
    if (now == life) {
      if (now.leadership != null) {
        now.leadership.serveReads();
      }
      if (now.applied >= now.snapshotDuePosition && !now.snapshotUnderWay) {
        cutSnapshot(now);
      }
    }
  }

  private void applyWhatIsThere(Life now) {
    while (now == life && now.applied < now.commit) {
      if (world.time().nowMillis() < now.stalledUntilMillis) {
        return;
      }
      long position = now.applied + 1;
      Logged entry = disk.at(position);
      if (entry.bytes() != null && !apply(now, position, entry.term(), entry.bytes())) {
        return;
      }
      now.applied = position;
      if (now.leadership != null && position == now.leadership.firstPosition()) {
        now.doorstep.leading();
      }
    }
  }

  private boolean apply(Life now, long position, long term, byte[] entry) {
    Batch batch = new Batch();
    now.batch = batch;
    boolean tells =
        now.leadership != null
            || now.doorstep.waitsFor(position)
            || world.needsTelling(number, position);
    try {
      now.machine.apply(
          position, term, entry, tells ? (ordinal, decision) -> batch.decided(decision) : null);
    } catch (DifferentQuarantinesException differs) {
      throw new Violation("QuarantinesAgree", String.valueOf(differs.getMessage()));
    } catch (WishService.PoisonError poison) {
      world.operator().poisoned(this, position, entry, poison.wish);
      return false;
    } catch (MixedClustersException foreign) {
      if (!hasAnotherPast) {
        throw foreign;
      }
      beginAnew();
      return false;
    }
    world.applied(this, position, term, entry, batch);
    world
        .auditor()
        .shown(
            new Shown(
                number,
                position,
                now.machine.timeMillis(),
                now.machine.ageMillis(),
                now.machine.tableBytes()));
    if (position % world.scenario().digestEveryPositions() == 0) {
      showDigest();
    }
    compareDigests(now, position);
    now.doorstep.applied(position, term, batch.decisions());
    return now == life;
  }

  /** What the log says about comparing; computing a digest takes as long as a snapshot. */
  private void compareDigests(Life now, long position) {
    Request.NameDigest named = now.machine.namedDigest();
    if (named != null) {
      now.doorstep.digestNamed(named);
    }
    if (now.machine.asksForDigest() && now.doorstep.comparisonBegins()) {
      String digest = now.machine.digest();
      String computed =
          number == world.scenario().oddNode()
              ? new StringBuilder(digest).reverse().toString()
              : digest;
      world
          .time()
          .after(
              world.scenario().snapshotMillis(),
              () -> {
                if (isAt(now.doorstep)) {
                  now.doorstep.digestComputed(position, computed, life == now);
                }
              });
    }
  }

  /** Cuts a snapshot now, although none is due, if this node leads. */
  void cutSnapshotAsLeader() {
    Life now = life;
    if (now != null && hasAppliedOwnTerm() && !now.snapshotUnderWay) {
      cutSnapshot(now);
    }
  }

  /** Lets the auditor compare this node with the others at the position it is at. */
  void showDigest() {
    StateMachine machine = running().machine;
    if (machine.position() > 0) {
      world
          .auditor()
          .digested(new Digested(number, machine.position(), Way.APPLIED, machine.digest()));
      world.showTables(this);
    }
  }

  /** Cuts a snapshot now and has it on disk a while later, unless the process dies before. */
  private void cutSnapshot(Life now) {
    long position = now.applied;
    long term = disk.termAt(position);
    showDigest();
    Frozen frozen = now.machine.freeze();
    now.snapshotUnderWay = true;
    later(
        world.scenario().snapshotMillis(),
        () -> {
          now.snapshotUnderWay = false;
          now.snapshotDuePosition = now.applied + world.scenario().snapshotEveryEntries();
          if (disk.has(position)) {
            long purgeTo = position - world.scenario().entriesKeptBehindSnapshot();
            disk.save(new Snapshot(position, term, write(frozen)), purgeTo);
            world.trace().note("snapshot", number, position, null);
          }
          now.doorstep.snapshotWritten();
        });
  }

  private static byte[] write(Frozen frozen) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      frozen.writeTo(out);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
