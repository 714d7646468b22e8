package io.onceward.cli.demo;

import io.onceward.cli.demo.Fault.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Carries out a plan of faults, one after the other: the next comes some time after the one before
 * is healed, and when requests are decided again. Whoever stops it finds everything healed.
 */
final class Saboteur implements Runnable {
  private static final long LOOK_MILLIS = 50;
  private static final long RECOVERY_MILLIS = 30_000;
  private static final long CLIENT_START_MILLIS = 60_000;
  private static final long LEADER_MILLIS = 15_000;

  private final List<FaultPlan.Entry> plan;
  private final long lengthMillis;
  private final List<DemoNode> nodes;
  private final List<DemoClient> durables;
  private final Lookout lookout;
  private final Chronicle chronicle;
  private final Meter meter;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Saboteur(
      List<FaultPlan.Entry> plan,
      long lengthMillis,
      List<DemoNode> nodes,
      List<DemoClient> clients,
      Lookout lookout,
      Chronicle chronicle,
      Meter meter) {
    this.plan = plan;
    this.lengthMillis = lengthMillis;
    this.nodes = nodes;
    this.durables = clients.stream().filter(DemoClient::isDurable).toList();
    this.lookout = lookout;
    this.chronicle = chronicle;
    this.meter = meter;
  }

  /** Ends the present fault early and begins no other. */
  void stop() {
    stopped.countDown();
  }

  /** Carries out the plan. Throws if the cluster or a client does not come back. */
  @Override
  public void run() {
    try {
      for (FaultPlan.Entry entry : plan) {
        if (stoppedWithin(entry.afterMillis()) || !isWorking()) {
          return;
        }
        long end = chronicle.elapsedMillis() + entry.fault().millis();
        if (end + FaultPlan.QUIET_AT_END_MILLIS > lengthMillis) {
          return;
        }
        commit(entry.fault());
      }
    } catch (IOException | TimeoutException problem) {
      throw new DemoFailure(problem.getMessage(), problem);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean stoppedWithin(long millis) throws InterruptedException {
    return stopped.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Waits until something is decided again: who is down already learns nothing from a fault. */
  private boolean isWorking() throws InterruptedException, TimeoutException {
    long decided = meter.total().decided();
    for (long waited = 0; waited < RECOVERY_MILLIS; waited += LOOK_MILLIS) {
      if (meter.total().decided() > decided) {
        return true;
      }
      if (stoppedWithin(LOOK_MILLIS)) {
        return false;
      }
    }
    throw new TimeoutException(
        "nothing was decided for " + RECOVERY_MILLIS / 1_000 + " s although all was healed");
  }

  private void commit(Fault fault) throws IOException, InterruptedException, TimeoutException {
    meter.troubled(fault.letter());
    if (fault instanceof Fault.KillNode kill) {
      kill(List.of(pick(kill.target())), fault.millis());
    } else if (fault instanceof Fault.KillAllNodes) {
      kill(nodes, fault.millis());
    } else if (fault instanceof Fault.PauseNode pause) {
      pause(pick(pause.target()), fault.millis());
    } else if (fault instanceof Fault.CutConnections cut) {
      DemoNode node = pick(cut.target());
      chronicle.cut();
      int connections = node.gate().cut();
      chronicle.news(
          "cut "
              + Numbers.count(connections, "connection", "connections")
              + " of clients to "
              + name(node));
    } else if (fault instanceof Fault.CutAllConnections) {
      chronicle.cut();
      int connections = 0;
      for (DemoNode node : nodes) {
        connections += node.gate().cut();
      }
      chronicle.news(
          "cut all " + Numbers.count(connections, "connection", "connections") + " of clients");
    } else if (fault instanceof Fault.RefuseConnections refuse) {
      DemoNode node = pick(refuse.target());
      shut(node, node.gate()::refuse, "clients are turned away from " + name(node), fault.millis());
    } else if (fault instanceof Fault.StallConnections stall) {
      DemoNode node = pick(stall.target());
      shut(
          node,
          node.gate()::stall,
          "nothing passes between clients and " + name(node),
          fault.millis());
    } else if (fault instanceof Fault.KillClient kill && !durables.isEmpty()) {
      killClient(durables.get(kill.pick() % durables.size()), fault.millis());
    }
  }

  private void kill(List<DemoNode> victims, long millis) throws IOException, InterruptedException {
    String trouble =
        victims.size() > 1
            ? "SIGKILL to all " + victims.size() + " nodes at once"
            : "SIGKILL to " + name(victims.get(0));
    chronicle.killed(victims.size());
    chronicle.trouble(trouble);
    List<Thread> killing = new ArrayList<>();
    for (DemoNode victim : victims) {
      Thread thread = new Thread(victim::kill, "kill " + victim.id());
      thread.start();
      killing.add(thread);
    }
    for (Thread thread : killing) {
      thread.join();
    }
    stoppedWithin(millis);
    for (DemoNode victim : victims) {
      victim.start();
    }
    String who = victims.size() > 1 ? "all nodes" : victims.get(0).id();
    String starting = victims.size() > 1 ? who + " start again" : who + " starts again";
    chronicle.becomes(trouble, starting);
    for (DemoNode victim : victims) {
      victim.awaitReady();
    }
    chronicle.relief(starting, who + (victims.size() > 1 ? " are back" : " is back"));
  }

  private void pause(DemoNode node, long millis) throws IOException, InterruptedException {
    String trouble = "SIGSTOP to " + name(node) + " for " + millis + " ms";
    chronicle.paused();
    chronicle.trouble(trouble);
    node.pause();
    try {
      stoppedWithin(millis);
    } finally {
      node.resume();
      chronicle.relief(trouble, node.id() + " goes on where it stood");
    }
  }

  private void shut(DemoNode node, Runnable shutting, String trouble, long millis)
      throws InterruptedException {
    chronicle.cut();
    chronicle.trouble(trouble);
    shutting.run();
    try {
      stoppedWithin(millis);
    } finally {
      node.gate().open();
      chronicle.relief(trouble, "clients reach " + node.id() + " again");
    }
  }

  private void killClient(DemoClient client, long millis)
      throws IOException, InterruptedException, TimeoutException {
    String trouble = "SIGKILL to " + client.name() + ", whose journal remains";
    chronicle.clientKilled();
    chronicle.trouble(trouble);
    client.kill();
    stoppedWithin(millis);
    client.start();
    String starting = client.name() + " starts again and reads its journal";
    chronicle.becomes(trouble, starting);
    try {
      client.ready().get(CLIENT_START_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new IOException(client.name() + " did not come back: " + failed.getCause(), failed);
    } catch (TimeoutException late) {
      throw new TimeoutException(
          client.name()
              + " did not come back within "
              + CLIENT_START_MILLIS / 1_000
              + " s: "
              + client.lastWords());
    }
    chronicle.relief(starting, client.name() + " is back and goes on where its journal ends");
  }

  private String name(DemoNode node) {
    boolean leads = node.id().equals(chronicle.leader());
    return node.id() + (leads ? ", the leader" : ", a follower");
  }

  /** Finds out who leads now. */
  private DemoNode pick(Target target) throws InterruptedException, TimeoutException {
    String leader = lookout.awaitLeader(LEADER_MILLIS);
    for (DemoNode node : nodes) {
      if (node.id().equals(leader) == (target == Target.LEADER) || nodes.size() == 1) {
        return node;
      }
    }
    throw new IllegalStateException("no node is " + leader);
  }
}
