package io.onceward.cli.demo;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.cli.demo.Figures.Condition;
import io.onceward.cli.demo.Figures.NodeView;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One node of the demo's cluster: its process, and the gate that clients reach it through. */
final class DemoNode implements Closeable {
  private static final Duration TIME_TO_START = Duration.ofMinutes(2);

  private final ServerLaunch launch;
  private final Gate gate;
  private @Nullable ServerProcess process;
  private @Nullable Leash leash;
  private Condition condition = Condition.STARTING;
  private @Nullable NodeStatus status;

  DemoNode(ServerLaunch launch, Gate gate) {
    this.launch = launch;
    this.gate = gate;
  }

  Member member() {
    return launch.self();
  }

  String id() {
    return launch.self().id();
  }

  Gate gate() {
    return gate;
  }

  /** Starts the process; returns before it is ready. */
  synchronized void start() throws IOException {
    condition = Condition.STARTING;
    process = launch.start();
  }

  /** Waits until the process that was started last is ready. */
  void awaitReady() throws IOException {
    running().awaitReady(TIME_TO_START);
    synchronized (this) {
      if (condition == Condition.STARTING) {
        condition = Condition.UP;
      }
    }
  }

  private synchronized ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException(id() + " was never started");
    }
    return process;
  }

  synchronized void kill() {
    condition = Condition.KILLED;
    status = null;
    running().kill();
  }

  synchronized void pause() throws IOException {
    leash = Leash.on(running().pid());
    condition = Condition.PAUSED;
    status = null;
  }

  synchronized void resume() throws IOException {
    if (leash != null) {
      leash.close();
      leash = null;
      condition = Condition.UP;
    }
  }

  /** Whether it ended although nobody killed it. */
  synchronized boolean diedByItself() {
    return process != null && condition != Condition.KILLED && !process.isRunning();
  }

  /** What it complained about last. */
  synchronized String lastWords() {
    return process == null ? "" : String.join(" / ", process.complaints());
  }

  synchronized Condition condition() {
    return condition;
  }

  /** What it told last about itself; null if it does not answer. */
  synchronized void heard(@Nullable NodeStatus told) {
    status = told;
  }

  synchronized @Nullable NodeStatus status() {
    return status;
  }

  synchronized NodeView view() {
    return new NodeView(
        id(),
        condition,
        status == null ? "" : status.role(),
        status == null ? 0 : status.position(),
        gate.crossings(),
        gate.stance());
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (leash != null) {
        leash.close();
      }
      if (process != null) {
        condition = Condition.KILLED;
        process.kill();
      }
    }
    gate.close();
  }
}
