package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.server.FreePorts;
import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A few nodes in this process, on loopback. */
final class TestCluster implements AutoCloseable {
  // A logger that nobody holds forgets its level.
  private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

  static {
    RATIS.setLevel(Boolean.getBoolean("ratis.verbose") ? Level.INFO : Level.OFF);
  }

  /** A node, and its machine of the current start. */
  static final class Node {
    final Member member;
    final Path folder;
    final boolean join;
    Recorder machine = new Recorder();
    RatisEngine engine;

    Node(Member member, Path folder, boolean join) {
      this.member = member;
      this.folder = folder;
      this.join = join;
    }

    boolean running() {
      return engine != null;
    }

    void submit(String entry, Object handle) {
      engine.submit(entry.getBytes(StandardCharsets.UTF_8), handle);
    }
  }

  final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Path root;
  private final List<Member> members = new ArrayList<>();
  private final UnaryOperator<EngineSettings> tuning;

  /** Nothing runs yet. */
  TestCluster(Path root, List<Member> members, UnaryOperator<EngineSettings> tuning) {
    this.root = root;
    this.tuning = tuning;
    this.members.addAll(members);
    for (Member member : members) {
      nodes.put(member.id(), new Node(member, root.resolve(member.id()), false));
    }
  }

  static TestCluster of(Path root, int size) throws IOException {
    return of(root, size, settings -> settings);
  }

  /** Whose leader stays, even where this machine has other things to do for a while. */
  static TestCluster patient(Path root, int size) throws IOException {
    return of(root, size, settings -> settings.withElection(600, 1_200));
  }

  static TestCluster of(Path root, int size, UnaryOperator<EngineSettings> tuning)
      throws IOException {
    List<Member> members = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      members.add(newMember("n" + i));
    }
    TestCluster cluster = new TestCluster(root, members, tuning);
    try {
      for (Node node : cluster.nodes.values()) {
        cluster.start(node);
      }
      return cluster;
    } catch (IOException | RuntimeException problem) {
      cluster.close();
      throw problem;
    }
  }

  static Member newMember(String id) throws IOException {
    return FreePorts.members(1, i -> id).get(0);
  }

  /** A node that waits to be added. */
  Node joining(String id) throws IOException {
    Node node = new Node(newMember(id), root.resolve(id), true);
    nodes.put(id, node);
    start(node);
    return node;
  }

  Node node(String id) {
    return nodes.get(id);
  }

  void start(Node node) throws IOException {
    node.machine = new Recorder();
    node.engine = RatisEngine.start(settings(node), node.machine, engine -> {});
  }

  EngineSettings settings(Node node) {
    return tuning.apply(
        node.join
            ? EngineSettings.joining(node.folder, node.member)
            : EngineSettings.of(node.folder, node.member, members));
  }

  void stop(Node node) {
    if (node.engine != null) {
      node.engine.close();
      node.engine = null;
    }
  }

  Node leader() {
    Node[] found = new Node[1];
    BooleanSupplier somebodyLeads =
        () -> {
          found[0] = null;
          for (Node node : nodes.values()) {
            if (node.running() && node.machine.leads()) {
              found[0] = node;
            }
          }
          return found[0] != null;
        };
    try {
      await("a leader", somebodyLeads);
    } catch (IllegalStateException nobody) {
      throw new IllegalStateException(nobody.getMessage() + whatNodesSay(), nobody);
    }
    return found[0];
  }

  /** Without a leader it matters what each node believes, and who else is still alive. */
  private String whatNodesSay() {
    StringBuilder text = new StringBuilder();
    for (Node node : nodes.values()) {
      text.append('\n').append(node.member.id()).append(": ");
      text.append(node.running() ? node.engine.status() : "stopped");
      text.append(", was ").append(node.machine.roles).append(node.machine.failures);
    }
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (thread.getName().contains("@group")) {
                text.append('\n').append(thread.getName()).append(": ");
                text.append(List.of(stack).subList(0, Math.min(6, stack.length)));
              }
            });
    return text.toString();
  }

  List<Node> followers() {
    Node leader = leader();
    List<Node> followers = new ArrayList<>();
    for (Node node : nodes.values()) {
      if (node.running() && node != leader) {
        followers.add(node);
      }
    }
    return followers;
  }

  /** Submits to the leader, and waits until it is applied there; tries again if it is lost. */
  long apply(String entry) {
    for (int attempt = 0; ; attempt++) {
      Node leader = leader();
      Recorder machine = leader.machine;
      String handle = entry + "#" + attempt + "@" + System.identityHashCode(machine);
      leader.submit(entry, handle);
      await("the fate of " + entry, () -> machine.fates.containsKey(handle));
      if (machine.fates.get(handle).contains("applied")) {
        return machine.position();
      }
      assertThat(attempt).as("attempts at %s: %s", entry, machine.fates.get(handle)).isLessThan(50);
    }
  }

  void applyAll(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      apply(prefix + i);
    }
  }

  /** Waits until all running nodes have applied the same. */
  void awaitAgreement() {
    await(
        "agreement",
        () -> {
          List<Recorder.Applied> first = null;
          for (Node node : nodes.values()) {
            if (node.running()) {
              List<Recorder.Applied> applied = node.machine.applied();
              if (first != null && !first.equals(applied)) {
                return false;
              }
              first = applied;
            }
          }
          return true;
        });
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, 20, condition);
  }

  static void await(String what, int seconds, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            new TimeoutException("no " + what + " within " + seconds + " s"));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    List<Thread> closing = new ArrayList<>();
    for (Node node : nodes.values()) {
      Thread thread = new Thread(() -> stop(node));
      thread.start();
      closing.add(thread);
    }
    for (Thread thread : closing) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
