package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockReportTest {
  private static final long YEAR = 365L * 24 * 60 * 60 * 1_000;

  private final ClockReport report = new ClockReport();

  @Test
  void smallDifferenceIsNoNews() {
    assertThat(report.news(0)).isEmpty();
    assertThat(report.news(ClockReport.FAR_MILLIS)).isEmpty();
    assertThat(report.news(-ClockReport.FAR_MILLIS)).isEmpty();
  }

  @Test
  void jumpIsReportedOnceAndAgainWhenItIsOver() {
    assertThat(report.news(-YEAR))
        .contains("31536000 s ahead of the time it stamps")
        .contains("clock");
    assertThat(report.news(-YEAR + 1_000)).isEmpty();
    assertThat(report.news(-ClockReport.NEAR_MILLIS - 1)).isEmpty();
    assertThat(report.news(-ClockReport.NEAR_MILLIS)).contains("no longer far");
    assertThat(report.news(0)).isEmpty();
    assertThat(report.news(11_000)).contains("11 s behind the time it stamps");
  }

  @Test
  void differenceNearTheBoundIsReportedOnce() {
    assertThat(report.news(10_001)).isNotEmpty();
    for (int i = 0; i < 10; i++) {
      assertThat(report.news(9_999)).isEmpty();
      assertThat(report.news(10_001)).isEmpty();
    }
  }
}
