package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import io.onceward.torture.Fault.Step;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Makes faults of every kind for a cluster and its clients, with victims drawn from the dice. */
final class Faults {
  /** A node that was wiped fetches a snapshot first, from a leader that is busy. */
  private static final long ADMIN_SECONDS = 180;

  private static final long A_YEAR = 365L * 24 * 3_600;
  private static final List<String> DISK_CALLS =
      List.of("posix/io/sync/fdatasync", "posix/io/sync/fsync", "posix/io/rw/*");

  private final Cluster cluster;
  private final Clients clients;
  private final Builds builds;
  private final Dice dice;
  private final Victims victims;
  private final NetworkFaults network;

  Faults(Cluster cluster, Clients clients, Builds builds, Dice dice) {
    this.cluster = cluster;
    this.clients = clients;
    this.builds = builds;
    this.dice = dice;
    this.victims = new Victims(cluster, dice);
    this.network = new NetworkFaults(cluster, victims, dice);
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
      case KILL_LEADER -> killing(kind, victims.take(free, true));
      case KILL_FOLLOWER -> killing(kind, victims.take(free, false));
      case KILL_ALL -> allAtOnce(kind, free, TortureNode::kill);
      case PAUSE_LEADER -> pausing(kind, victims.take(free, true));
      case PAUSE_FOLLOWER -> pausing(kind, victims.take(free, false));
      case POWER_CUT -> powerCut(victims.take(free, dice.nextBoolean()));
      case POWER_CUT_ALL -> allAtOnce(kind, free, TortureNode::losePower);
      case FULL_DISK -> fullDisk(victims.take(free, dice.nextBoolean()));
      case IO_ERROR -> failingDisk(victims.take(free, dice.nextBoolean()));
      case CLOCK -> clock(dice.nextBoolean() ? victims.leader() : victims.any());
      case ISOLATE_LEADER,
          ISOLATE_FOLLOWER,
          ONE_WAY,
          BRIDGE,
          CLIENTS_CUT_OFF,
          RESET,
          HALF_DEAD,
          SLOW,
          LOSSY,
          REJECT ->
          network.make(kind);
      case WIPE -> wipe(victims.follower());
      case MEMBERSHIP -> replace(victims.any(), cluster.spare());
      case TRANSFER -> transfer(victims.follower());
      case ROLLING_RESTART -> rollingRestart();
      case SNAPSHOT -> snapshots();
      case KILL_CLIENT -> clients.killing(dice.nextInt(1_000));
      case PAUSE_CLIENT -> clients.pausing(dice.nextInt(1_000));
    };
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
          case 0 -> dice.between(1, 600);
          case 1 -> -dice.between(1, 600);
          case 2 -> dice.nextInt(10) == 0 ? A_YEAR : 0;
          default -> dice.between(600, 48 * 3_600);
        };
    return new Fault(
        Kind.CLOCK,
        "the clock of " + victim.id() + " is off by " + seconds + " s",
        1,
        () -> victim.shiftClock(seconds),
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
        "all nodes restart, one after the other, with another build",
        all.size(),
        () -> {
          String classPath = builds.next();
          for (TortureNode node : all) {
            node.stop();
            node.rebuild(classPath);
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
