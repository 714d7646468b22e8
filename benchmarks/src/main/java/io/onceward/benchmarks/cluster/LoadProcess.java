package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Bench;
import io.onceward.cli.JvmFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of a measurement, seen from the one that gives it orders; mostly a client. */
final class LoadProcess implements AutoCloseable {
  private final Process process;
  private final PrintStream orders;
  private final BufferedReader reports;
  private final StringBuilder said = new StringBuilder();

  private LoadProcess(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.reports =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static List<String> flags() {
    List<String> flags = new ArrayList<>(List.of("-XX:+UseParallelGC", "-Xms768m", "-Xmx768m"));
    flags.addAll(JvmFlags.quiet());
    return flags;
  }

  /** Starts one; it ends when this process does, because its input ends then. */
  static LoadProcess start(List<String> addresses, List<String> jvmFlags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.addAll(jvmFlags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Bench.class.getName());
    command.add(LoadProgram.COMMAND);
    command.add(String.join(",", addresses));
    LoadProcess load = launch(command);
    String unused = load.await(LoadProgram.READY);
    return load;
  }

  /** Starts a process that takes orders as lines and reports on lines. */
  static LoadProcess launch(List<String> command) throws IOException {
    return new LoadProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  long pid() {
    return process.pid();
  }

  void order(String order) {
    orders.println(order);
  }

  /**
   * The rest of the next report that begins so.
   *
   * @throws IOException if the process reports a failure or ends instead
   */
  String await(String beginning) throws IOException {
    return awaitAny(beginning).substring(beginning.length());
  }

  /** The next report that begins in one of these ways, as a whole. */
  String awaitAny(String... beginnings) throws IOException {
    for (String line = reports.readLine(); line != null; line = reports.readLine()) {
      for (String beginning : beginnings) {
        if (line.startsWith(beginning)) {
          return line;
        }
      }
      if (line.startsWith(LoadProgram.FAILED)) {
        throw new IOException("a process of the measurement failed: " + line + "\n" + said);
      }
      said.append(line).append('\n');
    }
    throw new IOException("a process of the measurement ended:\n" + said);
  }

  @Override
  public void close() {
    orders.close();
    process.destroy();
    try {
      int unused = process.waitFor();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
