package io.onceward.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TlcOutputTest {
  private static final String COMPLETED =
      """
      Model checking completed. No error has been found.
      99058 states generated, 19656 distinct states found, 0 states left on queue.
      The depth of the complete state graph search is 44.
      """;
  private static final String VIOLATED =
      """
      Error: Invariant AtMostOnce is violated.
      Error: The behavior up to this point is:
      State 1: <Initial predicate>
      State 2: <Commit line 1, col 2 to line 3, col 4 of module Sessions>
      763 states generated, 237 distinct states found, 117 states left on queue.
      The depth of the complete state graph search is 9.
      """;

  @Test
  void aCompletedSearchHolds() {
    Finding finding = read(Check.WIDE, COMPLETED);
    assertThat(finding.isAsItMustBe()).isTrue();
    assertThat(finding.states()).isEqualTo(99058);
    assertThat(finding.distinct()).isEqualTo(19656);
    assertThat(finding.depth()).isEqualTo(44);
    assertThat(finding.result()).isEqualTo("holds");
  }

  @Test
  void aMutantThatHoldsIsMissed() {
    Finding finding = read(Check.NO_FENCING, COMPLETED);
    assertThat(finding.isAsItMustBe()).isFalse();
    assertThat(finding.result()).isEqualTo("MISSED: nothing fails");
  }

  @Test
  void aModelWithACounterexampleIsBroken() {
    Finding finding = read(Check.WIDE, VIOLATED);
    assertThat(finding.isAsItMustBe()).isFalse();
    assertThat(finding.result()).isEqualTo("BROKEN: AtMostOnce fails after 2 states");
    assertThat(read(Check.NO_FENCING, VIOLATED).isAsItMustBe()).isTrue();
  }

  @Test
  void aMutantThatDoesNotParseIsNotCaught() {
    Finding finding = read(Check.NO_FENCING, "Error: Parsing or semantic analysis failed.\n");
    assertThat(finding.isAsItMustBe()).isFalse();
    assertThat(finding.result()).isEqualTo("NO ANSWER: Parsing or semantic analysis failed.");
  }

  @Test
  void aSearchThatEndsInTheMiddleIsNoAnswer() {
    Finding finding = read(Check.WIDE, "Starting...\n");
    assertThat(finding.isAsItMustBe()).isFalse();
    assertThat(finding.result()).isEqualTo("NO ANSWER: TLC ended without a result");
  }

  @Test
  void progressIsTold() {
    assertThat(
            new TlcOutput()
                .take(
                    "Progress(18) at 2026-11-15 17:47:10: 9,634 states generated (9,634 s/min),"
                        + " 2,348 distinct states found (2,348 ds/min), 693 states left on queue."))
        .isEqualTo("2,348 distinct states of 9,634 visited");
  }

  private static Finding read(Check check, String lines) {
    TlcOutput output = new TlcOutput();
    lines.lines().forEach(output::take);
    return output.finding(check, 1);
  }
}
