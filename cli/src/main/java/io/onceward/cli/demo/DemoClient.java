package io.onceward.cli.demo;

import io.onceward.cli.JvmFlags;
import io.onceward.cli.demo.Figures.ClientView;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of the demo and its present process. The process ends when its input does, and so
 * never outlives this one.
 */
final class DemoClient implements Closeable {
  /** Told by a process that has opened its session, and by one that has finished all its work. */
  static final String READY = "ready";

  static final String FINISHED = "finished";

  /** Tells a process to begin nothing new and to finish. */
  static final String FINISH = "finish";

  private static final int LINES_REMEMBERED = 20;
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-Xmx192m", "-Xshare:auto", "-XX:TieredStopAtLevel=1");

  /** One process of it. */
  private static final class Life {
    final ClientPlan plan;
    final Process process;
    final CompletableFuture<Void> ready = new CompletableFuture<>();
    final CompletableFuture<Void> finished = new CompletableFuture<>();
    volatile boolean killed;

    Life(ClientPlan plan, Process process) {
      this.plan = plan;
      this.process = process;
    }
  }

  private final int index;
  private final Meter meter;
  private final Deque<String> said = new ArrayDeque<>();
  private ClientPlan plan;
  private @Nullable Life life;
  private int kills;

  DemoClient(int index, ClientPlan plan, Meter meter) {
    this.index = index;
    this.plan = plan;
    this.meter = meter;
  }

  String name() {
    return plan.name();
  }

  boolean isDurable() {
    return plan.kind() == ClientPlan.Kind.DURABLE;
  }

  /** Starts its first process. */
  synchronized void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(JvmFlags.quiet());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ClientProgram.class.getName()));
    command.addAll(plan.words());
    Life begun = new Life(plan, new ProcessBuilder(command).redirectErrorStream(true).start());
    life = begun;
    Thread thread = new Thread(() -> listen(begun), plan.name());
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(Life life) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(life.process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (Gauge.isOne(line)) {
          meter.heard(index, Gauge.parse(line));
        } else if (line.equals(READY)) {
          life.ready.complete(null);
        } else if (line.equals(FINISHED)) {
          life.finished.complete(null);
        } else {
          remember(line);
        }
      }
    } catch (IOException | IllegalArgumentException broken) {
      // A killed process may leave half a line.
    }
    meter.ended(index);
    IOException ended = new IOException(plan.name() + " ended: " + lastWords());
    life.ready.completeExceptionally(ended);
    life.finished.completeExceptionally(ended);
  }

  private synchronized void remember(String line) {
    if (said.size() == LINES_REMEMBERED) {
      said.removeFirst();
    }
    said.addLast(line);
  }

  synchronized String lastWords() {
    return String.join(" / ", said);
  }

  private synchronized Life life() {
    if (life == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return life;
  }

  /** Completes when the present process has opened its session. */
  CompletableFuture<Void> ready() {
    return life().ready;
  }

  /** SIGKILL; returns when it is gone. */
  void kill() throws IOException {
    Life dying = life();
    dying.killed = true;
    end(dying);
    synchronized (this) {
      kills++;
      plan = plan.again();
    }
  }

  private static void end(Life dying) throws IOException {
    dying.process.destroyForcibly();
    try {
      if (!dying.process.waitFor(10, TimeUnit.SECONDS)) {
        throw new IOException(dying.plan.name() + " cannot be killed");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks it to finish; completes when it has. */
  CompletableFuture<Void> finish() {
    Life present = life();
    try {
      OutputStream in = present.process.getOutputStream();
      in.write((FINISH + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException gone) {
      present.finished.completeExceptionally(
          new IOException(name() + " is gone: " + lastWords(), gone));
    }
    return present.finished;
  }

  /** Whether it ended although nobody killed it and nobody asked it to. */
  boolean diedByItself() {
    Life present = life();
    return !present.killed && present.finished.isCompletedExceptionally();
  }

  /** What it wrote down, for the proof. */
  synchronized Proof.Client records() {
    List<Path> files = new ArrayList<>();
    for (int number = 1; number <= plan.process(); number++) {
      files.add(plan.record(number));
    }
    return new Proof.Client(plan.name(), files, kills > 0);
  }

  synchronized ClientView view() {
    Figures.Work work = meter.of(index);
    return new ClientView(
        plan.name(), plan.kind().words(), condition(), work.decided(), work.pending(), kills);
  }

  private Figures.Condition condition() {
    if (life == null || !life.process.isAlive()) {
      return Figures.Condition.KILLED;
    }
    return life.ready.isDone() ? Figures.Condition.UP : Figures.Condition.STARTING;
  }

  @Override
  public void close() throws IOException {
    Life last;
    synchronized (this) {
      last = life;
    }
    if (last != null) {
      last.killed = true;
      end(last);
    }
  }
}
