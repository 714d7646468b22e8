package io.onceward.cli;

import io.onceward.wire.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a process of its own, seen from the process that started it.
 *
 * <p>It never outlives its parent. If the parent ends in order, its shutdown stops the child; if it
 * is killed, the child finds the end of its input and stops by itself. Only a child that was
 * {@linkplain #pause paused} when its parent was killed stays, until somebody lets it go on.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int LINES_REMEMBERED = 50;
  private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

  private final ServerLaunch launch;
  private final Process process;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final Deque<String> complaints = new ArrayDeque<>();

  private ServerProcess(ServerLaunch launch, Process process) {
    this.launch = launch;
    this.process = process;
  }

  static ServerProcess start(ServerLaunch launch) throws IOException {
    ServerProcess server = new ServerProcess(launch, new ProcessBuilder(launch.command()).start());
    Offspring.add(server);
    Thread out = server.listen("out", server.process.getInputStream(), server::hear);
    Thread err = server.listen("err", server.process.getErrorStream(), server::hearComplaint);
    var unused =
        server
            .process
            .onExit()
            .thenAccept(
                ended -> {
                  Offspring.remove(server);
                  server.becomesNeverReady(out, err);
                });
    return server;
  }

  private Thread listen(String stream, InputStream in, LineListener listener) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  listener.heard(line);
                }
              } catch (IOException closed) {
                // The process is gone, and with it what it might have said.
              }
            },
            launch.self().id() + " " + stream);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private interface LineListener {
    void heard(String line);
  }

  /** The ready line is all that a server prints. */
  private void hear(String line) {
    launch.listener().accept(line);
    ready.complete(line);
  }

  private void hearComplaint(String line) {
    synchronized (complaints) {
      if (complaints.size() == LINES_REMEMBERED) {
        complaints.removeFirst();
      }
      complaints.addLast(line);
    }
    launch.listener().accept(line);
  }

  private void becomesNeverReady(Thread out, Thread err) {
    try {
      out.join();
      err.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    ready.completeExceptionally(
        new IOException(
            launch.self().id()
                + " ended with code "
                + process.exitValue()
                + " before it was ready: "
                + String.join(" / ", complaints())));
  }

  public Member member() {
    return launch.self();
  }

  public ServerLaunch launch() {
    return launch;
  }

  public long pid() {
    return process.pid();
  }

  /** The line that it printed when it was ready; fails if it ends before that. */
  public CompletableFuture<String> ready() {
    return ready.copy();
  }

  /** Waits until it is ready and gives the line that it printed. */
  public String awaitReady(Duration most) throws IOException {
    try {
      return ready.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException ended) {
      Throwable cause = ended.getCause();
      throw new IOException(cause == null ? "it ended" : cause.getMessage(), ended);
    } catch (TimeoutException late) {
      throw new IOException(
          launch.self().id() + " is not ready after " + most.toMillis() + " ms: " + complaints(),
          late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + launch.self().id() + " started", interrupted);
    }
  }

  /** What it said on its error stream, the last few lines. */
  public List<String> complaints() {
    synchronized (complaints) {
      return List.copyOf(complaints);
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** The exit code, once it has ended. */
  public CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** SIGKILL: it gets no chance to do anything; returns when it is gone. */
  public void kill() {
    process.destroyForcibly();
    waitFor(process);
  }

  /** SIGTERM: lets it end in order, and kills it if it does not; gives the exit code. */
  public int stop() {
    resume();
    process.destroy();
    try {
      if (!process.waitFor(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    return waitFor(process);
  }

  /** SIGSTOP: it keeps its connections and its files, but does nothing. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT: goes on where it was paused. */
  public void resume() {
    signal("CONT");
  }

  /** SIGQUIT: it says what each of its threads does, and goes on. */
  public void tellThreads() {
    signal("QUIT");
  }

  private void signal(String name) {
    if (!process.isAlive()) {
      return;
    }
    try {
      // By way of the shell, which knows how to kill even where no such program is installed.
      waitFor(
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
              .redirectErrorStream(true)
              .start());
    } catch (IOException problem) {
      throw new UncheckedIOException("cannot send " + name + " to " + launch.self().id(), problem);
    }
  }

  private static int waitFor(Process process) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor();
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends it, whatever it is doing. */
  @Override
  public void close() {
    kill();
  }
}
