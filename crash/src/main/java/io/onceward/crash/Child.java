package io.onceward.crash;

import io.onceward.crash.child.ChildProgram;
import io.onceward.crash.child.ChildSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A process that is going to be killed, and the callers' connections to it. What it says arrives as
 * {@link Event}s.
 */
final class Child implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final int NO_LANE = -1;

  /** Something that the child said: in a lane, or of a lane. */
  sealed interface Event {
    int lane();

    /** A whole line to the caller. */
    record Told(int lane, String line) implements Event {}

    /** It has stopped there. */
    record At(int lane, Step step) implements Event {}

    /** A word of the process. */
    record Said(int lane, String word) implements Event {}
  }

  private final Process process;
  private final Socket[] lanes;
  private final BlockingQueue<Event> events;

  private Child(Process process, Socket[] lanes, BlockingQueue<Event> events) {
    this.process = process;
    this.lanes = lanes;
    this.events = events;
  }

  /** Starts one and returns when it is warm. */
  static Child start(IntFunction<ChildSettings> settings) {
    BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    try (ServerSocket callers = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      callers.setSoTimeout(PATIENCE_SECONDS * 1_000);
      ChildSettings told = settings.apply(callers.getLocalPort());
      Process process = JavaProcess.start(ChildProgram.class, "96m", told.words());
      listen("child", process.getInputStream(), line -> events.add(said(line)));
      Socket[] lanes = new Socket[told.lanes()];
      Child child = new Child(process, lanes, events);
      try {
        for (int i = 0; i < lanes.length; i++) {
          child.accept(callers.accept());
        }
        child.await("warm");
        return child;
      } catch (IOException | RuntimeException e) {
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a child does not start", e);
    }
  }

  private static Event said(String line) {
    String[] words = line.split(" ", -1);
    return words.length == 3 && words[0].equals("at")
        ? new Event.At(Integer.parseInt(words[1]), Step.valueOf(words[2]))
        : new Event.Said(NO_LANE, line);
  }

  /** The first line names the lane. */
  private void accept(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    int lane = Integer.parseInt(in.readLine().substring("lane ".length()));
    lanes[lane] = socket;
    listen("lane " + lane, in, line -> events.add(new Event.Told(lane, line)));
  }

  private interface Ear {
    void hear(String line);
  }

  private static void listen(String name, InputStream in, Ear ear) {
    listen(name, new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)), ear);
  }

  private static void listen(String name, BufferedReader in, Ear ear) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int next = in.read(); next >= 0; next = in.read()) {
                  StringBuilder line = new StringBuilder();
                  while (next >= 0 && next != '\n') {
                    line.append((char) next);
                    next = in.read();
                  }
                  // Half a line is no answer.
                  if (next == '\n') {
                    ear.hear(line.toString());
                  }
                }
              } catch (IOException gone) {
                // It was killed.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private void await(String word) {
    while (!(next() instanceof Event.Said said && said.word().equals(word))) {
      // Nothing else can be of interest yet.
    }
  }

  /** The child before it is dead. */
  void begin() {
    tell("begin");
    await("ready");
  }

  /** The child before it lives; gives into how many of its journals this one gets. */
  int burgle() {
    tell("burgle");
    String answer = "got into ";
    Event event = next();
    while (!(event instanceof Event.Said said && said.word().startsWith(answer))) {
      event = next();
    }
    return Integer.parseInt(((Event.Said) event).word().substring(answer.length()));
  }

  private void tell(String word) {
    try {
      process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("a child died before it was killed", e);
    }
  }

  void tell(int lane, String line) {
    try {
      lanes[lane].getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      lanes[lane].getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("a child died before it was killed", e);
    }
  }

  /** What it says next. */
  Event next() {
    try {
      Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new IllegalStateException(
            "a child said nothing for " + PATIENCE_SECONDS + " s; alive: " + process.isAlive());
      }
      return event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while listening to a child", e);
    }
  }

  /** SIGKILL. Returns when it is gone. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Socket lane : lanes) {
      try {
        lane.close();
      } catch (IOException e) {
        // It is dead anyway.
      }
    }
  }

  @Override
  public void close() {
    kill();
  }
}
