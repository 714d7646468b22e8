package io.onceward.cli.it;

import io.onceward.cli.JvmFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Java program of this class path in a process of its own. What it prints, on either stream, is
 * kept line by line. It ends with this process at the latest: its input ends then.
 */
final class Child implements AutoCloseable {
  private final String name;
  private final Process process;
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Thread listening;

  private Child(String name, Process process) {
    this.name = name;
    this.process = process;
    this.listening = new Thread(this::listen, name);
    listening.setDaemon(true);
    listening.start();
  }

  static Child start(Class<?> program, String... words) throws IOException {
    List<String> flags = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    return start(flags, Map.of(), program.getName(), List.of(words));
  }

  static Child start(
      List<String> flags, Map<String, String> environment, String program, List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.quiet());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new Child(program.substring(program.lastIndexOf('.') + 1), builder.start());
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException gone) {
      // It was killed; what it said before is all there is.
    }
  }

  List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** The lines so far that begin with a word. */
  List<String> lines(String word) {
    return lines().stream().filter(line -> line.startsWith(word)).toList();
  }

  /** Waits for a line that begins so; fails at once if the program ends without it. */
  String await(String beginning) {
    Patience.until(
        name + " to say '" + beginning + "'",
        () -> !lines(beginning).isEmpty() || !listening.isAlive());
    List<String> found = lines(beginning);
    if (found.isEmpty()) {
      throw new AssertionError(name + " ended without '" + beginning + "' and said: " + lines());
    }
    return found.get(0);
  }

  /** Tells it something on its input. */
  void tell(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException gone) {
      throw new UncheckedIOException(name + " does not listen; it said: " + lines(), gone);
    }
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Waits for it to end by itself, and gives the exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError(name + " does not end; it said: " + lines());
    }
    listening.join();
    return process.exitValue();
  }

  /** SIGKILL. Returns when it is gone and all it said was heard. */
  void kill() {
    process.destroyForcibly();
    boolean interrupted = false;
    while (true) {
      try {
        process.waitFor();
        listening.join();
        break;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
