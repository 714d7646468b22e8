package io.onceward.benchmarks.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.Report;
import io.onceward.benchmarks.Results;
import io.onceward.benchmarks.Surroundings;
import io.onceward.benchmarks.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterBenchTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void helpNamesEveryFigure() throws IOException {
    ClusterBench.run(List.of("--help"), out, out);
    for (Figure figure : ClusterFigures.ALL) {
      assertThat(printed()).contains("  " + figure.name() + " ").contains(figure.what());
    }
  }

  @Test
  void everyFigureComesFromAnExperiment() {
    List<String> experiments =
        ClusterExperiments.ALL.stream().map(ClusterExperiment::name).toList();
    assertThat(ClusterFigures.ALL)
        .allSatisfy(figure -> assertThat(experiments).containsAll(figure.experiments()));
  }

  @Test
  void whatWasPromisedHasATarget() {
    assertThat(
            ClusterFigures.ALL.stream().filter(figure -> figure.target() != null).map(Figure::name))
        .containsExactly(
            "saturated",
            "memory",
            "at-64",
            "at-64-p50",
            "at-64-p99",
            "alone-p50",
            "price",
            "retries",
            "sessions",
            "failover",
            "once",
            "start");
  }

  @Test
  void aFigureIsALineWithMedianSpreadTargetAndVerdict() {
    Results results = new Results();
    for (double value : new double[] {190_000, 210_000, 260_000}) {
      results.add(0, "saturated", value);
      results.add(0, "price", value / 20_000);
      results.add(0, "with-ids", value);
      results.add(0, "without-ids", 2 * value);
    }
    Report report = new Report(out, false, true);
    report.begin(
        new Surroundings("17", 2, "4 GiB", "Linux", "abc"), new ClusterHeading(Plan.STANDARD));
    for (Figure figure : ClusterFigures.ALL) {
      if (figure.name().equals("saturated") || figure.name().equals("price")) {
        report.print(figure, figure.measured().apply(results));
      }
    }
    assertThat(printed())
        .contains("3 server processes", "fsync on", "-XX:+UseParallelGC")
        .containsPattern(
            "saturated +210,000 +\\(190,000 \\.\\. 260,000\\) +req/s +>= 200,000 +reached")
        .containsPattern(
            "price +10\\.5 +.*<= 5 +MISSED +with-ids 210,000, without-ids 420,000, req/s");
  }

  @Test
  void optionsChangeThePlan() {
    ClusterOptions options =
        ClusterOptions.parse(
            List.of("--runs", "7", "--quick", "--seconds", "4", "--clients", "3", "--passes", "2"));
    assertThat(options.plan().runs()).isEqualTo(7);
    assertThat(options.plan().seconds()).isEqualTo(4);
    assertThat(options.plan().clients()).isEqualTo(3);
    assertThat(options.plan().passes()).isEqualTo(2);
    assertThat(options.plan().kills()).isEqualTo(Plan.QUICK.kills());
    assertThat(ClusterOptions.parse(List.of()).plan()).isEqualTo(Plan.STANDARD);
  }

  @Test
  void onlyTakesAnExperimentAFigureOrAPartOfNames() {
    assertThat(only("at-64")).containsExactly("at-64", "at-64-p50", "at-64-p99");
    assertThat(only("alone-p99")).containsExactly("alone-p99");
    assertThat(only("blocking")).containsExactly("alone-blocking-p50", "alone-blocking-p99");
  }

  private static List<String> only(String part) {
    return ClusterOptions.parse(List.of("--only", part)).figures().stream()
        .map(Figure::name)
        .toList();
  }

  @Test
  void badArgumentsAreExplained() {
    assertThatThrownBy(() -> ClusterOptions.parse(List.of("--fast")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown argument '--fast'");
    assertThatThrownBy(() -> ClusterOptions.parse(List.of("--runs", "few")))
        .hasMessageContaining("--runs needs a number above 0, not 'few'");
    assertThatThrownBy(() -> ClusterOptions.parse(List.of("--runs", "0")))
        .hasMessageContaining("--runs needs a number above 0");
    assertThatThrownBy(() -> ClusterOptions.parse(List.of("--only", "speed")))
        .hasMessageContaining("no figure is called 'speed'; there are: saturated, ");
    assertThatThrownBy(() -> ClusterOptions.parse(List.of("--only")))
        .hasMessageContaining("--only needs a value");
  }

  @Test
  void loadsAndTalliesTravelAsLines() {
    Load load = Load.of(Load.Way.WIRE, 8, 4_096, 100, 2_000).withTwice(50).withIdle(80);
    assertThat(Load.parse(Words.parse("load " + load.words()))).isEqualTo(load);
    assertThat(load.shareOf(4)).isEqualTo(new Load(Load.Way.WIRE, 20, 2, 1_024, 50, 100, 2_000));
    Histogram latency = new Histogram();
    latency.add(1_500_000);
    Tally tally = new Tally(1, 2, 500_000_000, 4, latency);
    Tally read = Tally.parse(Words.parse("tally " + tally.words()));
    assertThat(read.words().toString()).isEqualTo(tally.words().toString());
    assertThat(read.perSecond()).isEqualTo(2);
    assertThat(read.millis(0.5)).isBetween(1.48, 1.52);
    assertThat(read.merge(tally).perSecond()).isEqualTo(4);
  }

  private String printed() {
    return bytes.toString(UTF_8);
  }
}
