package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConclusionTextTest {

  static Conclusion conclusion(List<String> objections) {
    return new Conclusion(
        60_000,
        240_000,
        new Work(240_000, 10, 20, 30, 0),
        new Meter.Sample(4_000, 2_000, 900_000),
        new Troubles(5, 1, 3, 2, 4),
        List.of(new Finding("counters exact", "8 counters", objections)),
        "onceward demo --seed 7",
        objections.isEmpty() ? "" : "/tmp/evidence");
  }

  private static String text(Conclusion conclusion) {
    return new ConclusionText(new Look(false, false), Integer.MAX_VALUE)
        .lines(conclusion).stream()
            .map(line -> line.print(Integer.MAX_VALUE, false))
            .collect(Collectors.joining("\n"));
  }

  @Test
  void rightBooksEndWithTheGoodWord() {
    Conclusion conclusion = conclusion(List.of());

    assertThat(conclusion.holds()).isTrue();
    assertThat(text(conclusion))
        .contains("240,000 requests decided in 1:00, p50 2.0 ms, p99 900 ms")
        .contains("30 retries, 5 nodes killed, 2 clients killed, 1 pause, 3 cuts, 4 leader changes")
        .contains("ok  counters exact  8 counters")
        .contains("The books are right")
        .contains("the same faults again: onceward demo --seed 7");
  }

  @Test
  void linesAreBrokenWhereThePageEnds() {
    List<InkedLine> lines =
        new ConclusionText(new Look(true, true), 40).lines(conclusion(List.of("a b ".repeat(40))));

    assertThat(lines.subList(0, lines.size() - 2)).allMatch(line -> line.width() < 40);
  }

  @Test
  void wrongBooksNameWhatIsWrongAndWhereTheEvidenceIs() {
    Conclusion conclusion = conclusion(List.of("hits-1 is 12, but ..."));

    assertThat(conclusion.holds()).isFalse();
    assertThat(text(conclusion))
        .contains("NO  counters exact")
        .contains("hits-1 is 12, but ...")
        .contains("The books are wrong.")
        .contains("kept in /tmp/evidence");
  }
}
