package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Samples;
import io.onceward.cli.JvmFlags;
import io.onceward.cli.Main;
import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long it takes until a server serves, and until a command has asked it something. */
final class Starting {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final double NANOS_PER_SECOND = 1e9;

  private Starting() {}

  static void run(Plan plan, Path folder, Samples samples) throws IOException {
    for (int i = 0; i < plan.starts(); i++) {
      List<Member> alone = Cluster.members(1);
      ServerLaunch launch = ServerLaunch.of(folder.resolve("alone" + i), alone.get(0), alone);
      samples.add("start", secondsUntilReady(launch, samples, false));
      samples.add("restart", secondsUntilReady(launch, samples, true));
    }
  }

  private static double secondsUntilReady(ServerLaunch launch, Samples samples, boolean asked)
      throws IOException {
    long startNanos = System.nanoTime();
    try (ServerProcess server = launch.start()) {
      String line = server.awaitReady(MOST);
      double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
      if (!line.contains(" ready ")) {
        throw new IOException("instead of its ready line a server said: " + line);
      }
      if (asked) {
        double unused = secondsOf("kv", "put", "key", "value", "--at", address(launch));
        samples.add("kv-get", secondsOf("kv", "get", "key", "--at", address(launch)));
      }
      int stopped = server.stop();
      if (stopped != 0) {
        throw new IOException("a server stopped with code " + stopped);
      }
      return seconds;
    }
  }

  private static String address(ServerLaunch launch) {
    return launch.self().clientAddress();
  }

  /** What a command of {@code onceward} takes, without the shell script in front of it. */
  private static double secondsOf(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.client());
    command.addAll(JvmFlags.quiet());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(words));
    long startNanos = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
      if (code != 0) {
        throw new IOException(
            "'" + String.join(" ", words) + "' ended with code " + code + ": " + said);
      }
      return seconds;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a command ran", interrupted);
    }
  }
}
