package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTest {
  private static final List<String> PROGRAMS =
      List.of(
          "demo",
          "example",
          "bench",
          "simulate",
          "model",
          "fuzz",
          "crash-test",
          "torture",
          "hostile");

  private final Shell shell = new Shell();

  @Test
  void theOverviewNamesEveryCommandAndEveryExitCode() {
    String overview = shell.run().out();
    assertThat(shell.run("help").out()).isEqualTo(overview);
    assertThat(shell.run("--help").out()).isEqualTo(overview);
    for (String command : whole().getSubcommands().keySet()) {
      assertThat(overview).containsPattern("(?m)^  " + command + " ");
    }
    for (ExitCode exit : ExitCode.values()) {
      assertThat(overview).containsPattern("(?m)^ +" + exit.number() + "  ");
      assertThat(overview).contains(exit.meaning());
    }
  }

  @Test
  void everyCommandHasHelpWithExamples() {
    for (List<String> path : leaves()) {
      List<String> words = new ArrayList<>(path);
      words.add("--help");
      Shell.Result result = shell.run(words.toArray(String[]::new));
      assertThat(result.code()).as(words.toString()).isZero();
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .startsWith("Usage: onceward " + String.join(" ", path))
          .contains("Examples:", "onceward " + String.join(" ", path));
      assertThat(result.out().lines()).allMatch(line -> line.length() <= 100);
      words.remove(words.size() - 1);
      words.add(0, "help");
      assertThat(shell.run(words.toArray(String[]::new)).out()).isEqualTo(result.out());
    }
  }

  @Test
  void theManualDescribesEveryCommandAndEveryExitCode() throws Exception {
    String manual = Files.readString(Path.of("../docs/cli.md"));
    for (List<String> path : leaves()) {
      assertThat(manual).contains("onceward " + String.join(" ", path));
    }
    for (ExitCode exit : ExitCode.values()) {
      assertThat(manual).contains("| " + exit.number() + " |");
    }
  }

  @Test
  void groupsShowTheirCommands() {
    Shell.Result result = shell.run("kv", "--help");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("put", "get", "delete", "cas", "list");
  }

  @Test
  void theCompletionScriptKnowsTheCommands() {
    Shell.Result result = shell.run("completion", "bash");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("complete", "transfer-leader", "--request-id", "simulate");
    assertThat(shell.run("completion", "zsh").lines().subList(1, 100))
        .isEqualTo(result.lines().subList(1, 100));
    assertThat(shell.run("completion", "fish").code()).isEqualTo(2);
  }

  @Test
  void theVersionIsOneLine() {
    assertThat(shell.run("--version").out().strip()).isEqualTo("onceward 0.1.0");
    assertThat(shell.run("version").out().strip()).isEqualTo("onceward 0.1.0");
  }

  private CommandLine whole() {
    return CommandTree.whole(Terminal.ofProcess());
  }

  /** The words of every command that does something, except the programs of other modules. */
  private List<List<String>> leaves() {
    List<List<String>> leaves = new ArrayList<>();
    collect(List.of(), whole(), leaves);
    assertThat(leaves).hasSizeGreaterThan(5);
    return leaves;
  }

  private static void collect(List<String> path, CommandLine command, List<List<String>> leaves) {
    for (Map.Entry<String, CommandLine> entry : command.getSubcommands().entrySet()) {
      if (path.isEmpty() && PROGRAMS.contains(entry.getKey())) {
        continue;
      }
      List<String> deeper = new ArrayList<>(path);
      deeper.add(entry.getKey());
      if (entry.getValue().getSubcommands().isEmpty()) {
        leaves.add(deeper);
      } else {
        collect(deeper, entry.getValue(), leaves);
      }
    }
  }
}
