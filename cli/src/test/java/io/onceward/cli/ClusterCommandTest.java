package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.server.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command that starts several servers, in a process of its own as a user starts it. */
@Timeout(60)
class ClusterCommandTest {
  @TempDir private Path folder;

  @Test
  void allNodesAreReadyAndNoneOutlivesAKilledParent() throws Exception {
    int base = freeBase();
    Process cluster = start(base);
    List<ProcessHandle> nodes = new ArrayList<>();
    try {
      List<String> lines = readUntilReady(cluster);
      assertThat(lines)
          .anyMatch(line -> line.startsWith("node1 | onceward 0.1.0 ready on 127.0.0.1:" + base))
          .anyMatch(line -> line.startsWith("node2 | onceward 0.1.0 ready on 127.0.0.1:"))
          .last()
          .asString()
          .isEqualTo(
              "2 nodes are ready; reach them with --at 127.0.0.1:%d,127.0.0.1:%d; Ctrl-C ends them"
                  .formatted(base, base + 10));
      cluster.descendants().forEach(nodes::add);
      assertThat(nodes).hasSize(2);
      cluster.destroyForcibly().waitFor();
      Waiting.until(Duration.ofSeconds(30), () -> nodes.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      cluster.destroyForcibly();
      nodes.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private Process start(int base) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.client());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("cluster", "--nodes", "2", "--port", "" + base));
    command.addAll(List.of("--data", folder.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static List<String> readUntilReady(Process cluster) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(cluster.getInputStream(), StandardCharsets.UTF_8));
    List<String> lines = new ArrayList<>();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
      if (line.contains("nodes are ready")) {
        return lines;
      }
    }
    throw new AssertionError("ended without being ready: " + lines);
  }

  /** A port that is free together with the others that two nodes take. */
  private static int freeBase() throws IOException {
    while (true) {
      int base = FreePorts.one();
      if (isFree(base + 1) && isFree(base + 10) && isFree(base + 11)) {
        return base;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
