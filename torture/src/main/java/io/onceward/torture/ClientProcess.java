package io.onceward.torture;

import io.onceward.cli.JvmFlags;
import io.onceward.torture.client.ClientPlan;
import io.onceward.torture.client.ClientProgram;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The processes that follow each other under one name, one at a time. */
final class ClientProcess implements Closeable {
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-Xmx384m", "-Xshare:auto", "-XX:TieredStopAtLevel=1");

  /** One of them. */
  private static final class Life {
    final Process process;
    final CompletableFuture<Void> ready = new CompletableFuture<>();
    final CompletableFuture<Void> finished = new CompletableFuture<>();
    volatile long decided;
    volatile boolean mayEnd;

    Life(Process process) {
      this.process = process;
    }
  }

  private final List<String> planting;
  private ClientPlan plan;
  private @Nullable Life life;
  private boolean paused;
  private long decidedBefore;
  private final List<Path> histories = new ArrayList<>();
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());

  /**
   * Processes that are not started yet.
   *
   * @param planting further flags of Java, which plant a mistake
   */
  ClientProcess(ClientPlan plan, List<String> planting) {
    this.plan = plan;
    this.planting = List.copyOf(planting);
  }

  String name() {
    return plan.name();
  }

  boolean isMortal() {
    return plan.role() == ClientPlan.Role.MORTAL;
  }

  /** The histories that were begun so far. */
  /** One for each life; who was killed before it wrote anything has none of that life. */
  synchronized List<Path> histories() {
    return histories.stream().filter(Files::exists).toList();
  }

  /** What it said that it should not have had to say. */
  List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  synchronized long decided() {
    return decidedBefore + (life == null ? 0 : life.decided);
  }

  /** Starts one, unless one runs. */
  synchronized void start() throws IOException {
    if (life != null && life.process.isAlive()) {
      return;
    }
    if (life != null) {
      decidedBefore += life.decided;
      plan = plan.next();
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(JvmFlags.quiet());
    command.addAll(JvmFlags.archive());
    command.addAll(planting);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ClientProgram.class.getName()));
    command.addAll(plan.words());
    Life begun = new Life(new ProcessBuilder(command).redirectErrorStream(true).start());
    histories.add(plan.history());
    life = begun;
    paused = false;
    Thread thread = new Thread(() -> listen(begun), plan.name());
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(Life life) {
    List<String> last = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(life.process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ClientProgram.DECIDED)) {
          life.decided = Long.parseLong(line.substring(ClientProgram.DECIDED.length()));
        } else if (line.equals(ClientProgram.READY)) {
          life.ready.complete(null);
        } else if (line.equals(ClientProgram.FINISHED)) {
          life.finished.complete(null);
        } else if (last.size() < 20) {
          last.add(line);
        }
      }
    } catch (IOException | NumberFormatException broken) {
      // A killed process may leave half a line.
    }
    last.forEach(line -> complaints.add(plan.name() + ": " + line));
    if (!life.mayEnd) {
      complaints.add(plan.name() + " ended by itself");
    }
    IOException ended = new IOException(plan.name() + " ended: " + String.join(" / ", last));
    life.ready.completeExceptionally(ended);
    life.finished.completeExceptionally(ended);
  }

  private synchronized Life life() {
    if (life == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return life;
  }

  CompletableFuture<Void> ready() {
    return life().ready;
  }

  void kill() throws IOException {
    Life dying = life();
    dying.mayEnd = true;
    dying.process.destroyForcibly();
    try {
      if (!dying.process.waitFor(10, TimeUnit.SECONDS)) {
        throw new IOException(name() + " cannot be killed");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized void pause() throws IOException {
    Tool.run("sh", "-c", "kill -STOP " + life().process.pid());
    paused = true;
  }

  synchronized void resume() throws IOException {
    if (paused && life().process.isAlive()) {
      Tool.run("sh", "-c", "kill -CONT " + life().process.pid());
    }
    paused = false;
  }

  /** Lets it finish what it has begun; completes when it has. */
  CompletableFuture<Void> finish() {
    Life present = life();
    present.mayEnd = true;
    try {
      OutputStream in = present.process.getOutputStream();
      in.write((ClientProgram.FINISH + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException gone) {
      present.finished.completeExceptionally(new IOException(name() + " is gone", gone));
    }
    return present.finished;
  }

  @Override
  public void close() throws IOException {
    Life last;
    synchronized (this) {
      last = life;
    }
    if (last != null) {
      kill();
    }
  }
}
