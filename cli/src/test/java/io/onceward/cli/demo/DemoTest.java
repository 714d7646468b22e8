package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class DemoTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... words) {
    Demo demo =
        new Demo(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of());
    return new CommandLine(demo)
        .setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8))
        .execute(words);
  }

  private static Set<Path> temporaryFolders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("onceward-demo-"))
          .collect(Collectors.toSet());
    }
  }

  private static List<String> children() {
    return ProcessHandle.current()
        .descendants()
        .map(child -> child.info().commandLine().orElse(""))
        .filter(command -> command.contains("io.onceward"))
        .toList();
  }

  /** Seed 12 kills the leader and, if the machine is not too slow, more. */
  @Test
  @Timeout(300)
  void aShortDemoProvesItsBooksAndLeavesNothingBehind() throws IOException {
    Set<Path> before = temporaryFolders();

    int code = run("--seconds", "8", "--seed", "12", "--rate", "1000");

    String printed = out.toString(StandardCharsets.UTF_8);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).as(printed).isZero();
    assertThat(printed)
        .contains("SIGKILL to", "ok  counters exact", "ok  ledger balanced", "ok  replicas agree")
        .contains("The books are right");
    assertThat(temporaryFolders()).isEqualTo(before);
    assertThat(children()).isEmpty();
  }

  @Test
  void helpHasExamplesAndExitCodes() {
    assertThat(run("--help")).isZero();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("onceward demo --seconds 300 --nodes 5", "Exit codes:", "--no-faults");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThat(run("--seconds", "1")).isEqualTo(2);
    assertThat(run("--nodes", "0")).isEqualTo(2);
    assertThat(run("--rate", "1000000")).isEqualTo(2);

    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--seconds is from 5 to 3600, not 1");
  }
}
