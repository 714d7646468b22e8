package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Condition;
import io.onceward.wire.NodeStatus;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks every node how it is, several times a second, past its gate. A node that does not answer in
 * time counts as silent until it does.
 */
final class Lookout implements Closeable {
  private static final long EVERY_MILLIS = 250;
  private static final long PATIENCE_MILLIS = 1_000;

  private final List<DemoNode> nodes;
  private final Function<DemoNode, CompletableFuture<NodeStatus>> asking;
  private final Chronicle chronicle;
  private final Thread thread = new Thread(this::watch, "lookout");
  private volatile boolean closed;

  private Lookout(
      List<DemoNode> nodes,
      Function<DemoNode, CompletableFuture<NodeStatus>> asking,
      Chronicle chronicle) {
    this.nodes = nodes;
    this.asking = asking;
    this.chronicle = chronicle;
  }

  static Lookout over(
      List<DemoNode> nodes,
      Function<DemoNode, CompletableFuture<NodeStatus>> asking,
      Chronicle chronicle) {
    Lookout lookout = new Lookout(nodes, asking, chronicle);
    lookout.thread.setDaemon(true);
    lookout.thread.start();
    return lookout;
  }

  private void watch() {
    List<@Nullable CompletableFuture<NodeStatus>> asked = new java.util.ArrayList<>();
    nodes.forEach(node -> asked.add(null));
    try {
      while (!closed) {
        for (int i = 0; i < nodes.size(); i++) {
          // One question at a time to each: a paused node must not find a heap of them.
          CompletableFuture<NodeStatus> before = asked.get(i);
          if (before == null || before.isDone()) {
            asked.set(i, ask(nodes.get(i)));
          }
        }
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<NodeStatus> ask(DemoNode node) {
    if (node.condition() != Condition.UP) {
      return CompletableFuture.failedFuture(new TimeoutException(node.id() + " is not up"));
    }
    return asking
        .apply(node)
        .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .whenComplete((status, problem) -> heard(node, status));
  }

  private void heard(DemoNode node, @Nullable NodeStatus status) {
    if (node.condition() == Condition.UP) {
      node.heard(status);
    }
    if (status != null && status.role().equals("leader")) {
      chronicle.leads(node.id(), status.term());
    }
  }

  /** The node that says it leads, in the highest term that any says so; empty if none does. */
  private String leader() {
    String leader = "";
    long term = -1;
    for (DemoNode node : nodes) {
      NodeStatus status = node.status();
      if (status != null && status.role().equals("leader") && status.term() > term) {
        leader = node.id();
        term = status.term();
      }
    }
    return leader;
  }

  /** Waits until somebody leads. */
  String awaitLeader(long millis) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (String leader = leader(); System.nanoTime() < deadline; leader = leader()) {
      if (!leader.isEmpty()) {
        return leader;
      }
      TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS / 5);
    }
    throw new TimeoutException("no node leads after " + millis / 1_000 + " s");
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
