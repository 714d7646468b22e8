package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import io.onceward.torture.Fault.Step;
import io.onceward.torture.net.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes faults of every kind for a cluster and its clients, with victims drawn from the dice. Who
 * leads is found out when a fault is made.
 */
final class Faults {
  private static final Duration LEADER_PATIENCE = Duration.ofSeconds(60);

  /** A node that was wiped fetches a snapshot first, from a leader that is busy. */
  private static final long ADMIN_SECONDS = 180;

  private static final long A_YEAR = 365L * 24 * 3_600;
  private static final List<String> DISK_CALLS =
      List.of("posix/io/sync/fdatasync", "posix/io/sync/fsync", "posix/io/rw/*");

  private final Cluster cluster;
  private final Clients clients;
  private final Random dice;

  Faults(Cluster cluster, Clients clients, Random dice) {
    this.cluster = cluster;
    this.clients = clients;
    this.dice = dice;
  }

  /** The kinds that this machine allows. */
  static Set<Kind> possible(Cluster cluster) {
    Set<Kind> kinds = EnumSet.allOf(Kind.class);
    TortureNode any = cluster.members().get(0);
    if (!any.disk().isReal()) {
      kinds.removeAll(EnumSet.of(Kind.POWER_CUT, Kind.POWER_CUT_ALL, Kind.FULL_DISK));
    }
    if (!any.canShiftClock()) {
      kinds.remove(Kind.CLOCK);
    }
    if (!any.canFailItsDisk()) {
      kinds.remove(Kind.IO_ERROR);
    }
    if (cluster.members().size() < 3) {
      kinds.removeAll(EnumSet.of(Kind.BRIDGE, Kind.WIPE, Kind.MEMBERSHIP));
    }
    return kinds;
  }

  /**
   * Makes one.
   *
   * @param free the members to whose processes nothing has happened yet; victims are taken out
   * @return null if there is no victim left for it
   */
  @Nullable Fault make(Kind kind, List<TortureNode> free)
      throws InterruptedException, TimeoutException {
    return switch (kind) {
      case KILL_LEADER -> killing(kind, take(free, true));
      case KILL_FOLLOWER -> killing(kind, take(free, false));
      case KILL_ALL -> allAtOnce(kind, free, TortureNode::kill);
      case PAUSE_LEADER -> pausing(kind, take(free, true));
      case PAUSE_FOLLOWER -> pausing(kind, take(free, false));
      case POWER_CUT -> powerCut(take(free, dice.nextBoolean()));
      case POWER_CUT_ALL -> allAtOnce(kind, free, TortureNode::losePower);
      case FULL_DISK -> fullDisk(take(free, dice.nextBoolean()));
      case IO_ERROR -> failingDisk(take(free, dice.nextBoolean()));
      case CLOCK -> clock(dice.nextBoolean() ? leader() : any());
      case ISOLATE_LEADER -> isolated(kind, leader(), others(leader()));
      case ISOLATE_FOLLOWER -> isolatedFromAll(follower());
      case ONE_WAY -> oneWay();
      case BRIDGE -> bridge();
      case CLIENTS_CUT_OFF -> isolated(kind, leader(), List.of(Network.CLIENTS));
      case RESET -> reset();
      case HALF_DEAD -> halfDead();
      case SLOW -> slow();
      case LOSSY -> lossy();
      case REJECT -> reject();
      case WIPE -> wipe(follower());
      case MEMBERSHIP -> replace(any(), cluster.spare());
      case TRANSFER -> transfer(follower());
      case ROLLING_RESTART -> rollingRestart();
      case SNAPSHOT -> snapshots();
      case KILL_CLIENT -> clients.killing(dice.nextInt(1_000));
      case PAUSE_CLIENT -> clients.pausing(dice.nextInt(1_000));
    };
  }

  // ---- whom -----------------------------------------------------------------------------------

  private TortureNode leader() throws InterruptedException, TimeoutException {
    return cluster.awaitLeader(LEADER_PATIENCE);
  }

  private TortureNode follower() throws InterruptedException, TimeoutException {
    TortureNode leader = leader();
    List<TortureNode> followers =
        cluster.members().stream().filter(node -> node != leader).toList();
    return followers.get(dice.nextInt(followers.size()));
  }

  private TortureNode any() {
    return cluster.members().get(dice.nextInt(cluster.members().size()));
  }

  private @Nullable TortureNode take(List<TortureNode> free, boolean leader)
      throws InterruptedException, TimeoutException {
    TortureNode leading = leader();
    List<TortureNode> fitting = free.stream().filter(node -> (node == leading) == leader).toList();
    if (fitting.isEmpty()) {
      return null;
    }
    TortureNode victim = fitting.get(dice.nextInt(fitting.size()));
    free.remove(victim);
    return victim;
  }

  private List<String> others(TortureNode node) {
    return cluster.members().stream().filter(each -> each != node).map(TortureNode::id).toList();
  }

  private int between(int least, int most) {
    return least + dice.nextInt(most - least + 1);
  }

  // ---- processes ------------------------------------------------------------------------------

  private static @Nullable Fault killing(Kind kind, @Nullable TortureNode victim) {
    return victim == null
        ? null
        : new Fault(kind, "SIGKILL to " + victim.id(), 1, victim::kill, Step.nothing());
  }

  private static @Nullable Fault pausing(Kind kind, @Nullable TortureNode victim) {
    return victim == null
        ? null
        : new Fault(kind, "SIGSTOP to " + victim.id(), 1, victim::pause, victim::resume);
  }

  private interface Blow {
    void strike(TortureNode node) throws Exception;
  }

  /** As nearly at once as it goes: each in a thread of its own. */
  private @Nullable Fault allAtOnce(Kind kind, List<TortureNode> free, Blow blow) {
    if (free.size() < cluster.members().size()) {
      return null;
    }
    List<TortureNode> victims = List.copyOf(free);
    free.clear();
    return new Fault(
        kind,
        kind.words(),
        victims.size(),
        () -> {
          List<Thread> threads = new ArrayList<>();
          List<Exception> problems = java.util.Collections.synchronizedList(new ArrayList<>());
          for (TortureNode victim : victims) {
            Thread thread =
                new Thread(
                    () -> {
                      try {
                        blow.strike(victim);
                      } catch (Exception problem) {
                        problems.add(problem);
                      }
                    },
                    "blow to " + victim.id());
            thread.start();
            threads.add(thread);
          }
          for (Thread thread : threads) {
            thread.join();
          }
          if (!problems.isEmpty()) {
            throw problems.get(0);
          }
        },
        Step.nothing());
  }

  // ---- disks and clocks -----------------------------------------------------------------------

  private static @Nullable Fault powerCut(@Nullable TortureNode victim) {
    return victim == null
        ? null
        : new Fault(
            Kind.POWER_CUT, victim.id() + " loses power", 1, victim::losePower, Step.nothing());
  }

  /** The node stops itself; it is killed if it got by without writing, so that it starts anew. */
  private static @Nullable Fault fullDisk(@Nullable TortureNode victim) {
    return victim == null
        ? null
        : new Fault(
            Kind.FULL_DISK,
            "no room on the disk of " + victim.id(),
            1,
            () -> {
              victim.mayEnd();
              victim.disk().fill();
            },
            () -> {
              victim.kill();
              victim.disk().makeRoom();
            });
  }

  private @Nullable Fault failingDisk(@Nullable TortureNode victim) {
    if (victim == null) {
      return null;
    }
    String call = DISK_CALLS.get(dice.nextInt(DISK_CALLS.size()));
    return new Fault(
        Kind.IO_ERROR,
        call + " fails on " + victim.id(),
        1,
        () -> victim.failDisk(call),
        victim::kill);
  }

  private Fault clock(TortureNode victim) {
    long seconds =
        switch (dice.nextInt(4)) {
          case 0 -> between(1, 600);
          case 1 -> -between(1, 600);
          case 2 -> dice.nextInt(10) == 0 ? A_YEAR : 0;
          default -> between(600, 48 * 3_600);
        };
    return new Fault(
        Kind.CLOCK,
        "the clock of " + victim.id() + " is off by " + seconds + " s",
        1,
        () -> victim.shiftClock(seconds),
        Step.nothing());
  }

  // ---- the network ----------------------------------------------------------------------------

  private Fault isolated(Kind kind, TortureNode node, List<String> from) {
    Network network = cluster.network();
    return new Fault(
        kind,
        node.id() + " and " + String.join(", ", from) + " do not hear each other",
        1,
        () -> {
          for (String other : from) {
            network.drop(node.id(), other);
            network.drop(other, node.id());
          }
        },
        Step.nothing());
  }

  private Fault isolatedFromAll(TortureNode node) {
    List<String> everyone = new ArrayList<>(others(node));
    everyone.add(Network.CLIENTS);
    return isolated(Kind.ISOLATE_FOLLOWER, node, everyone);
  }

  private Fault oneWay() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? leader() : any();
    List<String> others = others(node);
    boolean deaf = dice.nextBoolean();
    return new Fault(
        Kind.ONE_WAY,
        deaf ? node.id() + " hears no other node" : node.id() + " is heard by no other node",
        1,
        () -> {
          for (String other : others) {
            cluster.network().drop(deaf ? other : node.id(), deaf ? node.id() : other);
          }
        },
        Step.nothing());
  }

  private Fault bridge() {
    List<TortureNode> all = new ArrayList<>(cluster.members());
    TortureNode middle = all.remove(dice.nextInt(all.size()));
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    all.forEach(node -> (left.size() > right.size() ? right : left).add(node.id()));
    return new Fault(
        Kind.BRIDGE,
        left + " and " + right + " meet only through " + middle.id(),
        1,
        () -> {
          for (String one : left) {
            for (String other : right) {
              cluster.network().drop(one, other);
              cluster.network().drop(other, one);
            }
          }
        },
        Step.nothing());
  }

  /** Two parties, one of them a node; often the leader and its clients. */
  private List<String> pair() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? leader() : any();
    List<String> others = new ArrayList<>(others(node));
    others.add(Network.CLIENTS);
    others.add(Network.CLIENTS);
    return List.of(node.id(), others.get(dice.nextInt(others.size())));
  }

  private Fault reset() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    return new Fault(
        Kind.RESET,
        "connections of " + pair.get(0) + " with " + pair.get(1) + " are reset",
        1,
        () -> cluster.network().cut(pair.get(0), pair.get(1)),
        Step.nothing());
  }

  private Fault halfDead() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    return new Fault(
        Kind.HALF_DEAD,
        "connections of " + pair.get(0) + " with " + pair.get(1) + " die silently",
        1,
        () -> cluster.network().freeze(pair.get(0), pair.get(1)),
        Step.nothing());
  }

  private Fault slow() throws InterruptedException, TimeoutException {
    List<String> pair = pair();
    int millis = between(5, 300);
    boolean both = dice.nextBoolean();
    return new Fault(
        Kind.SLOW,
        pair.get(0) + (both ? " and " : " to ") + pair.get(1) + " slower by " + millis + " ms",
        1,
        () -> {
          cluster.network().slow(pair.get(0), pair.get(1), millis);
          if (both) {
            cluster.network().slow(pair.get(1), pair.get(0), millis);
          }
        },
        Step.nothing());
  }

  private Fault lossy() {
    TortureNode node = any();
    List<String> others = new ArrayList<>(others(node));
    others.add(Network.CLIENTS);
    double part = between(5, 40) / 100.0;
    return new Fault(
        Kind.LOSSY,
        Math.round(part * 100) + " % of the packets to " + node.id() + " are lost",
        1,
        () -> cluster.network().loseSome(node.id(), part, others),
        Step.nothing());
  }

  private Fault reject() throws InterruptedException, TimeoutException {
    TortureNode node = dice.nextBoolean() ? leader() : any();
    List<String> others = others(node);
    String other = others.get(dice.nextInt(others.size()));
    return new Fault(
        Kind.REJECT,
        "what " + node.id() + " sends to " + other + " is answered with a reset",
        1,
        () -> cluster.network().reject(node.id(), other),
        Step.nothing());
  }

  // ---- the cluster ----------------------------------------------------------------------------

  /** A wiped voter that merely restarted could vote twice: it leaves, and comes back as new. */
  private Fault wipe(TortureNode victim) {
    return new Fault(
        Kind.WIPE,
        victim.id() + " forgets everything, leaves and comes back",
        1,
        () -> {
          victim.kill();
          remove(victim);
          victim.wipe();
          victim.start();
          add(victim);
          victim.awaitReady();
        },
        Step.nothing());
  }

  private Fault replace(TortureNode gone, TortureNode come) {
    return new Fault(
        Kind.MEMBERSHIP,
        gone.id() + " leaves, " + come.id() + " comes",
        1,
        () -> {
          come.wipe();
          come.start();
          add(come);
          come.awaitReady();
          remove(gone);
          gone.kill();
          gone.wipe();
          cluster.replaced(gone, come);
        },
        Step.nothing());
  }

  private Fault transfer(TortureNode next) {
    return new Fault(
        Kind.TRANSFER,
        "leadership goes to " + next.id(),
        1,
        () -> {
          try {
            cluster.admin().transferLeader(next.id()).get(ADMIN_SECONDS, TimeUnit.SECONDS);
          } catch (ExecutionException refused) {
            // Under other faults it may not be possible; then nothing changes.
          }
        },
        Step.nothing());
  }

  private Fault rollingRestart() {
    List<TortureNode> all = cluster.members();
    return new Fault(
        Kind.ROLLING_RESTART,
        "all nodes restart, one after the other",
        all.size(),
        () -> {
          for (TortureNode node : all) {
            node.stop();
            node.start();
            node.awaitReady();
          }
        },
        Step.nothing());
  }

  private Fault snapshots() {
    return new Fault(
        Kind.SNAPSHOT,
        "all nodes take a snapshot",
        1,
        () -> {
          for (TortureNode node : cluster.members()) {
            if (node.isUp()) {
              var unused = cluster.admin().snapshot(node.address());
            }
          }
        },
        Step.nothing());
  }

  private void add(TortureNode node) throws Exception {
    obeyed(node, true, () -> cluster.admin().addMember(node.member()));
  }

  /** Who leads cannot be removed, and who is to go may come to lead at any time. */
  private void remove(TortureNode node) throws Exception {
    obeyed(
        node,
        false,
        () ->
            cluster
                .admin()
                .status()
                .thenCompose(
                    status ->
                        status.id().equals(node.id())
                            ? cluster.admin().transferLeader("")
                            : CompletableFuture.completedFuture(""))
                .thenCompose(others -> cluster.admin().removeMember(node.id())));
  }

  private interface Order {
    CompletableFuture<String> give();
  }

  /** Repeats an order until it is obeyed: its answer may get lost, and leaders may change. */
  private void obeyed(TortureNode node, boolean member, Order order) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ADMIN_SECONDS);
    while (true) {
      try {
        order.give().get(ADMIN_SECONDS, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException | TimeoutException problem) {
        if (isMember(node) == member) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              (member ? "cannot add " : "cannot remove ") + node.id(), problem);
        }
        Thread.sleep(200);
      }
    }
  }

  private boolean isMember(TortureNode node) throws Exception {
    return cluster.admin().status().get(ADMIN_SECONDS, TimeUnit.SECONDS).members().stream()
        .anyMatch(member -> member.id().equals(node.id()));
  }
}
