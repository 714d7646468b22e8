package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.client.Counters;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.CounterCommand;
import io.onceward.services.ServiceDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example on the README's first screen: it compiles, it runs against a real node, and it is the
 * one printed there.
 */
class ReadmeTest {
  private static final Path HERE =
      Path.of("src", "test", "java", "io", "onceward", "cli", "ReadmeTest.java");

  @TempDir Path folder;
  private final List<String> printed = new ArrayList<>();

  @Test
  void theExampleExecutesOnceAndReplays() throws IOException {
    int port = FreePorts.one();
    try (OncewardServer server =
        OncewardServer.start(
            ServerSettings.alone(folder, port, FreePorts.one()), ServiceDirectory.shipped())) {
      server.ready().orTimeout(20, TimeUnit.SECONDS).join();
      assertThat(example("127.0.0.1:" + port)).isEqualTo(5);
      assertThat(printed).containsExactly("true true");
    }
  }

  private long example(String address) {
    try (Onceward onceward = Onceward.connect(address)) {
      Session session = onceward.openSession().join();
      Counters counters = Counters.in(session);

      long hits = counters.add("hits", 5).join(); // sent until it is decided, decided once

      Keyed orders = onceward.keyed().keepingReplies(); // or name requests yourself, and retry
      Key id = Key.text("order 4712"); // from any process, as often as you like
      Bytes add = CounterCommand.encode(new CounterCommand.Add("hits", 5));
      Decided first = orders.submit(id, "counter", add).join();
      Decided retry = orders.submit(id, "counter", add).join();
      printed.add(retry.replay() + " " + retry.reply().equals(first.reply())); // true true
      return hits;
    }
  }

  @Test
  void theExampleIsTheOneThatIsPrinted() throws IOException {
    List<String> readme = code(Files.readAllLines(Path.of("..", "README.md")), "```java", "```");
    List<String> here =
        code(
            Files.readAllLines(HERE),
            "  private long example(String address) {",
            "      return hits;");
    assertThat(here).isNotEmpty();
    assertThat(readme.subList(0, readme.size() - 1)).isEqualTo(here);
  }

  /** The lines between two marks, without indentation, and with what differs on purpose undone. */
  private static List<String> code(List<String> lines, String from, String to) {
    List<String> found = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (inside && line.startsWith(to)) {
        return found;
      }
      if (inside && !line.isBlank()) {
        found.add(
            line.strip()
                .replace("System.out.println(", "printed.add(")
                .replace("\"127.0.0.1:7400\"", "address"));
      }
      inside |= line.equals(from);
    }
    return found;
  }
}
