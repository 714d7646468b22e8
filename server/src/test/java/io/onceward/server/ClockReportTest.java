package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockReportTest {
  private static final long YEAR = 365L * 24 * 60 * 60 * 1_000;

  private final ClockReport report = new ClockReport();

  private String news(long aheadMillis) {
    return report.news(true, aheadMillis);
  }

  @Test
  void smallDifferenceIsNoNews() {
    assertThat(news(0)).isEmpty();
    assertThat(news(ClockReport.FAR_MILLIS)).isEmpty();
    assertThat(news(-ClockReport.FAR_MILLIS)).isEmpty();
  }

  @Test
  void jumpIsReportedOnceAndAgainWhenItIsOver() {
    assertThat(news(-YEAR)).contains("31536000 s ahead of the time it stamps").contains("clock");
    assertThat(news(-YEAR + 1_000)).isEmpty();
    assertThat(news(-ClockReport.NEAR_MILLIS - 1)).isEmpty();
    assertThat(news(-ClockReport.NEAR_MILLIS)).contains("no longer far");
    assertThat(news(0)).isEmpty();
    assertThat(news(11_000)).contains("11 s behind the time it stamps");
  }

  @Test
  void differenceNearTheBoundIsReportedOnce() {
    assertThat(news(10_001)).isNotEmpty();
    for (int i = 0; i < 10; i++) {
      assertThat(news(9_999)).isEmpty();
      assertThat(news(10_001)).isEmpty();
    }
  }

  @Test
  void nodeThatStopsLeadingDoesNotReportItsClockAsRight() {
    assertThat(news(YEAR)).isNotEmpty();
    assertThat(report.news(false, 0)).isEmpty();
    assertThat(news(0)).as("the next term begins with the wall clock").isEmpty();
    assertThat(news(YEAR)).as("news of another term").isNotEmpty();
  }

  @Test
  void stampsFarAheadAreRightAfterATransferOfTheLeadership() {
    assertThat(news(YEAR))
        .contains("behind the time it stamps")
        .contains("transfer the leadership");
    assertThat(news(0)).isNotEmpty();
    assertThat(news(-YEAR)).doesNotContain("transfer");
  }
}
