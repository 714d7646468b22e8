package io.onceward.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.FullDisk;
import io.onceward.testkit.ProgramOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
  private static final Sizes TINY = new Sizes(2_000, 6_000, 2_000, 2, 2, 4_000, 128);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void everyFigureIsMeasuredAndPrintedOnALineOfItsOwn() throws IOException {
    table(Figures.ALL, false);
    for (Figure figure : Figures.ALL) {
      assertThat(printed().lines().filter(line -> line.startsWith(figure.name() + " ")))
          .as(figure.name())
          .singleElement()
          .asString()
          .contains(" " + figure.unit() + " ")
          .doesNotContain("NaN");
    }
    assertThat(printed()).contains("JDK ", "cores", "commit", "-XX:+UseParallelGC");
    assertThat(err.toString(UTF_8)).contains("[1/31", "[31/31", "measured for");
  }

  @Test
  void whatWasPromisedHasATarget() {
    assertThat(Figures.ALL.stream().filter(figure -> figure.target() != null).map(Figure::name))
        .contains("session-request", "session-allocation", "key-request", "key-replay")
        .contains("key-growth", "session-idle-bytes", "key-bytes", "tombstone-bytes")
        .contains("snapshot-freeze", "snapshot-worst-apply", "restore")
        .contains("key-request-versus-best", "key-bytes-versus-best");
  }

  @Test
  void everyComparisonNamesEveryAlternative() throws IOException {
    table(figuresCalled("key-request", "key-request-versus-best"), false);
    assertThat(printed().lines().filter(line -> line.startsWith("key-request")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("HashMap ", "Caffeine ", "Guava "));
  }

  @Test
  void jsonHasOneObjectPerLineWithAllSamples() throws IOException {
    table(figuresCalled("session-request"), true);
    List<String> lines = printed().lines().toList();
    assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    assertThat(lines.get(0))
        .contains("\"cores\":", "\"flags\":\"-XX:+UseParallelGC", "\"keys\":6000");
    assertThat(lines.get(1))
        .contains("\"figure\":\"session-request\"", "\"atMost\":150", "\"verdict\":\"not judged\"")
        .contains("\"compared\":{\"Caffeine\":{\"median\":")
        .containsPattern("\"samples\":\\[[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+\\]");
  }

  @Test
  void anExperimentRunsInAJvmOfItsOwn(@TempDir Path scratch) throws IOException {
    Results results = new Results();
    Experiment experiment = Experiments.named(Experiments.IDLE_SESSIONS);
    new ChildJvms().run(experiment, TINY, scratch, (name, value) -> results.add(0, name, value));
    assertThat(results.all("session-idle-bytes"))
        .singleElement()
        .satisfies(bytes -> assertThat(bytes).isBetween(80.0, 200.0));
  }

  @Test
  void whatAFailedJvmSaidIsShown(@TempDir Path scratch) {
    Experiment unknown =
        new Experiment("nonsense", Experiment.Role.ONCE, (sizes, directory, samples) -> {});
    assertThat(failureOf(unknown, scratch)).contains("'nonsense'", "no experiment is called");
  }

  private static String failureOf(Experiment experiment, Path scratch) {
    try {
      new ChildJvms().run(experiment, TINY, scratch, (name, value) -> {});
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Test
  void badArgumentsAreExplainedAndEndWithTwo() {
    assertThat(bench()).isEqualTo(2);
    assertThat(bench("chair")).isEqualTo(2);
    assertThat(bench("table", "--fast")).isEqualTo(2);
    assertThat(bench("table", "--only")).isEqualTo(2);
    assertThat(bench("table", "--only", "")).isEqualTo(2);
    assertThat(bench("table", "--only", "nothing")).isEqualTo(2);
    assertThat(bench("experiment", "nothing")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains("there is no 'chair'")
        .contains("unknown argument '--fast'; allowed are --quick, --json, --only NAME and --help")
        .contains("--only needs the name of a figure")
        .contains("no figure is called 'nothing'; there are: session-request, ");
    assertThat(printed()).isEmpty();
  }

  @Test
  void helpNamesEveryFigure() {
    assertThat(bench("table", "--help")).isZero();
    assertThat(bench("--help")).isZero();
    for (Figure figure : Figures.ALL) {
      assertThat(printed()).contains("  " + figure.name() + " ").contains(figure.what());
    }
    assertThat(printed()).contains("onceward bench jmh");
  }

  @Test
  void onlyTakesAFigureByNameAndSeveralByAPartOfTheirNames() {
    assertThat(named("key-request")).containsExactly("key-request");
    assertThat(named("versus"))
        .containsExactly(
            "session-request-versus-best",
            "key-request-versus-best",
            "key-replay-versus-best",
            "key-bytes-versus-best");
  }

  private static List<String> named(String part) {
    return TableBench.Options.parse(List.of("--only", part)).figures().stream()
        .map(Figure::name)
        .toList();
  }

  private static List<Figure> figuresCalled(String... names) {
    return Figures.ALL.stream().filter(figure -> List.of(names).contains(figure.name())).toList();
  }

  /** Measures in this JVM: the numbers mean nothing, but every path is walked. */
  private void table(List<Figure> figures, boolean json) throws IOException {
    Laboratory here =
        (experiment, sizes, scratch, samples) -> experiment.body().run(sizes, scratch, samples);
    Progress progress = new Progress(new PrintStream(err, true, UTF_8));
    new TableBench(here, TINY, progress)
        .run(figures, new Report(new PrintStream(out, true, UTF_8), json, false));
  }

  private int bench(String... arguments) {
    return Bench.run(
        List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private String printed() {
    return out.toString(UTF_8);
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(Bench.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
