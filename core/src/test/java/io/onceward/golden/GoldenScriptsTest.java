package io.onceward.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Command;
import io.onceward.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every script under {@code src/test/resources/golden}.
 *
 * <p>A script is a conversation with a replica: commands, a line {@code ----}, and one line per
 * command that says what must come of it. Lines that begin with {@code #} tell the reader why. The
 * commands are listed at {@link Phrasebook} (what goes into the log) and {@link Play} (everything
 * else), what the service of the scripts can do at {@link CounterService}. Besides what it expects,
 * every script checks that a second node decides the same at every entry, and that at its end a
 * copy from a snapshot and a replay of the whole log have the same digest.
 *
 * <p>There is a script for every rule of the specification that concerns a replica ({@code E01} to
 * {@code T03} and {@code L03}) and for every execution that once broke a rule ({@code X01} …). To
 * add one, write it by hand from the rule and run
 *
 * <pre>mvn -pl core test -Dtest=GoldenScriptsTest</pre>
 *
 * <p>If behaviour changes on purpose, add {@code -Dgolden.write=true}: every script is then written
 * back with what really came of it, unless its nodes disagree. Read that difference before you
 * commit it; each changed line is a promise that changed.
 */
class GoldenScriptsTest {
  private static final boolean WRITE = Boolean.getBoolean("golden.write");
  private static final Path SOURCES = Path.of("src", "test", "resources", "golden");

  @TestFactory
  Stream<DynamicTest> script() {
    return scripts().stream()
        .map(
            path ->
                DynamicTest.dynamicTest(
                    path.getFileName().toString(), path.toUri(), () -> play(path)));
  }

  private static void play(Path path) throws IOException {
    Script script = Script.parse(path.getFileName().toString(), Files.readAllLines(path));
    Performance performance = Performance.of(script, CounterService::new);
    List<String> complaints = new ArrayList<>();
    if (!performance.fault().isEmpty()) {
      complaints.add(performance.fault());
    } else if (WRITE) {
      Files.write(SOURCES.resolve(script.name()), script.withExpectations(performance.actual()));
      return;
    }
    complaints.addAll(performance.differences());
    if (!complaints.isEmpty()) {
      throw new AssertionError("\n" + String.join("\n", complaints) + "\n");
    }
  }

  @Test
  void everyRuleAndEveryExecutionHasAScript() {
    List<String> expected = new ArrayList<>();
    numbers("E", 1, 10, expected);
    numbers("S", 1, 10, expected);
    numbers("K", 1, 6, expected);
    numbers("O", 1, 3, expected);
    numbers("T", 1, 3, expected);
    numbers("L", 3, 3, expected);
    numbers("X", 1, 8, expected);
    numbers("X", 11, 21, expected);
    numbers("X", 23, 23, expected);

    assertThat(scripts().stream().map(path -> path.getFileName().toString().substring(0, 3)))
        .containsAll(expected);
  }

  private static void numbers(String section, int first, int last, List<String> names) {
    for (int i = first; i <= last; i++) {
      names.add(String.format(Locale.ROOT, "%s%02d", section, i));
    }
  }

  @Test
  void scriptsAreNamedForTheirRuleAndForWhatTheyPrevent() {
    assertThat(scripts())
        .allSatisfy(
            path ->
                assertThat(path.getFileName().toString())
                    .matches("[A-Z]\\d\\d(-[a-z0-9]+)+\\.txt"));
  }

  // The runner itself: a script that cannot fail proves nothing.

  @Test
  void wrongExpectationIsToldWithFileAndLine() {
    Performance performance =
        perform("# Adds twice.", "", "unkeyed \"add 5\"", "----", "executed \"6\"");

    assertThat(performance.differences())
        .containsExactly("test:5:\n    expected executed \"6\"\n    actual   executed \"5\"");
  }

  @Test
  void missingExpectationIsADifference() {
    assertThat(
            perform("unkeyed \"add 5\"", "unkeyed \"add 5\"", "----", "executed \"5\"")
                .differences())
        .containsExactly("test:5:\n    expected (nothing)\n    actual   executed \"10\"");
  }

  @Test
  void surplusExpectationIsADifference() {
    assertThat(perform("total", "----", "total 0", "total 0").differences())
        .containsExactly("test:4:\n    expected total 0\n    actual   (nothing)");
  }

  @Test
  void unknownCommandIsToldWithItsLine() {
    assertThat(perform("total", "sing a song", "----", "total 0").fault())
        .isEqualTo("test:2: no such command: sing a song");
  }

  @Test
  void surplusWordIsNotIgnored() {
    assertThat(perform("unkeyed \"add 5\" twice", "----", "executed \"5\"").fault())
        .isEqualTo("test:1: did not understand \"twice\" at the end of: unkeyed \"add 5\" twice");
  }

  @Test
  void commandsWithoutExpectationAreNotSkipped() {
    assertThatThrownBy(() -> perform("total", "----", "total 0", "", "executions"))
        .hasMessage("test:5: no ---- follows this command");
  }

  @Test
  void nodesThatDecideDifferentlyAreFound() {
    assertThat(perform(Forgetful::new, "unkeyed \"add 5\"", "----", "executed \"5\"").fault())
        .contains("two nodes decided differently at entry 1");
  }

  @Test
  void nodesThatEndInDifferentStatesAreFound() {
    assertThat(perform(Forgetful::new, "unkeyed \"put x 1\"", "----", "executed \"x=1\"").fault())
        .contains("the second node has another digest");
  }

  @Test
  void rewrittenScriptHasWhatCameOfIt() {
    Script script =
        Script.parse(
            "test",
            List.of("# Why.", "total", "----", "total 7", "", "executions", "----", "", "# End."));

    assertThat(script.withExpectations(Performance.of(script, CounterService::new).actual()))
        .containsExactly(
            "# Why.",
            "total",
            "----",
            "total 0",
            "",
            "executions",
            "----",
            "executions 0",
            "",
            "# End.");
  }

  /** A service that is not the same on every node. */
  private static final class Forgetful extends CounterService {
    private final boolean otherNode;

    Forgetful(boolean otherNode) {
      super(otherNode);
      this.otherNode = otherNode;
    }

    @Override
    public Reply execute(Command command) {
      if (otherNode && command.payload().asText().startsWith("put")) {
        return Reply.ok(command.payload().asText().substring(4).replace(' ', '='));
      }
      return otherNode ? Reply.ok("0") : super.execute(command);
    }
  }

  private static Performance perform(String... lines) {
    return perform(CounterService::new, lines);
  }

  private static Performance perform(Function<Boolean, CounterService> services, String... lines) {
    return Performance.of(Script.parse("test", List.of(lines)), services);
  }

  private static List<Path> scripts() {
    try (Stream<Path> files = Files.list(directory())) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path directory() {
    URL url = Objects.requireNonNull(GoldenScriptsTest.class.getResource("/golden"));
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
