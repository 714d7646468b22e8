package io.onceward.torture;

import io.onceward.client.Admin;
import io.onceward.client.Onceward;
import io.onceward.torture.disk.Disk;
import io.onceward.torture.disk.FolderDisk;
import io.onceward.torture.disk.LoopDisk;
import io.onceward.torture.net.Network;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** All nodes of a run, those that are members and one that waits to become one. */
final class Cluster implements Closeable {
  private static final long ANSWER_MILLIS = 2_000;
  private static final long LEADER_ANSWER_MILLIS = 700;
  private static final long LOOK_MILLIS = 50;

  private final Network network;
  private final Map<String, TortureNode> nodes = new LinkedHashMap<>();
  private final List<String> members = new ArrayList<>();
  private final Onceward observer;

  private Cluster(Network network, Onceward observer) {
    this.network = network;
    this.observer = observer;
  }

  /**
   * Starts a cluster and waits until it is ready.
   *
   * @param size how many members it has; there is one node more, which is not started
   */
  static Cluster start(
      Network network,
      Path folder,
      List<String> names,
      int size,
      List<String> options,
      Run.Planting planting)
      throws IOException {
    Preloads preloads = Preloads.find();
    boolean disks = network.losesPackets() && LoopDisk.possible(folder);
    List<Member> members = names.subList(0, size).stream().map(network::member).toList();
    Onceward.Builder builder = Onceward.builder().patience(Duration.ofSeconds(5));
    names.forEach(name -> builder.address(address(network, name)));
    Map<String, String> ways = new LinkedHashMap<>();
    names.forEach(name -> ways.put(network.member(name).clientAddress(), address(network, name)));
    Cluster cluster =
        new Cluster(network, builder.reachedAt(told -> ways.getOrDefault(told, told)).build());
    try {
      for (String name : names) {
        Disk disk =
            disks ? LoopDisk.create(folder, name) : new FolderDisk(folder.resolve(name + "-data"));
        boolean member = names.indexOf(name) < size;
        cluster.nodes.put(
            name,
            new TortureNode(
                name,
                network,
                disk,
                preloads,
                folder,
                member ? members : List.of(),
                options,
                planting.servers()));
        if (member) {
          cluster.members.add(name);
        }
      }
      cluster.startMembers();
      return cluster;
    } catch (IOException | RuntimeException problem) {
      cluster.close();
      throw problem;
    }
  }

  private static String address(Network network, String node) {
    return network.bindHost(node) + ":" + network.member(node).clientPort();
  }

  Network network() {
    return network;
  }

  /** Those that are members now. */
  List<TortureNode> members() {
    return members.stream().map(this::node).toList();
  }

  TortureNode node(String id) {
    TortureNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node " + id + " in " + nodes.keySet());
    }
    return node;
  }

  /** The one that is no member now. */
  TortureNode spare() {
    return nodes.values().stream()
        .filter(node -> !members.contains(node.id()))
        .findFirst()
        .orElseThrow();
  }

  Admin admin() {
    return observer.admin();
  }

  Onceward observer() {
    return observer;
  }

  /** Starts members that do not run and waits for all. */
  private void startMembers() throws IOException {
    for (TortureNode node : members()) {
      node.start();
    }
    awaitReady();
  }

  /** Waits until all members know who leads. */
  void awaitReady() throws IOException {
    for (TortureNode node : members()) {
      node.awaitReady();
    }
  }

  /**
   * Undoes whatever was done to network and processes, and starts members that do not run; clocks
   * stay as they are.
   */
  void heal() throws IOException {
    network.heal();
    for (TortureNode node : members()) {
      node.resume();
      if (node.disk().isReal()) {
        node.disk().makeRoom();
      }
    }
    for (TortureNode node : members()) {
      node.start();
    }
  }

  /** Whether all members have read their logs and take part before so much time has passed. */
  boolean allAreUp(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    for (TortureNode node : members()) {
      NodeStatus status = status(node, false);
      while (status == null || status.role().equals("starting")) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.sleep(LOOK_MILLIS);
        status = status(node, false);
      }
    }
    return true;
  }

  /** What a node says of itself; null if it says nothing in time. */
  @Nullable NodeStatus status(TortureNode node, boolean withDigest) throws InterruptedException {
    if (!node.isUp()) {
      return null;
    }
    CompletableFuture<NodeStatus> asked = observer.admin().status(node.address(), withDigest);
    try {
      return asked.get(withDigest ? 10 * ANSWER_MILLIS : ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException silent) {
      return null;
    }
  }

  /**
   * The member that leads in the highest term that any member speaks of; null if none says so. All
   * are asked at once, since those that do not answer take longest.
   */
  @Nullable TortureNode leader() throws InterruptedException {
    Map<TortureNode, CompletableFuture<NodeStatus>> asked = new LinkedHashMap<>();
    for (TortureNode node : members()) {
      if (node.isUp()) {
        asked.put(node, observer.admin().status(node.address()));
      }
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEADER_ANSWER_MILLIS);
    TortureNode leader = null;
    long term = -1;
    for (Map.Entry<TortureNode, CompletableFuture<NodeStatus>> each : asked.entrySet()) {
      try {
        NodeStatus status = each.getValue().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (status.role().equals("leader") && status.term() > term) {
          leader = each.getKey();
          term = status.term();
        }
      } catch (ExecutionException | TimeoutException silent) {
        // It is not the one.
      }
    }
    return leader;
  }

  /** Waits until one leads. */
  TortureNode awaitLeader(Duration most) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + most.toNanos();
    while (System.nanoTime() < deadline) {
      TortureNode leader = leader();
      if (leader != null) {
        return leader;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new TimeoutException("no node leads after " + most.toSeconds() + " s");
  }

  /** A member becomes somebody else: the spare one is a member now, and this one is spare. */
  void replaced(TortureNode gone, TortureNode come) {
    members.set(members.indexOf(gone.id()), come.id());
  }

  @Override
  public void close() throws IOException {
    observer.close();
    IOException first = null;
    for (TortureNode node : nodes.values()) {
      try {
        node.close();
      } catch (IOException problem) {
        first = first == null ? problem : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
