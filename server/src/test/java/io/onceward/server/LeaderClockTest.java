package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaderClockTest {
  private static final long WALL = 1_700_000_000_000L;
  private static final long YEAR = 365L * 24 * 60 * 60 * 1_000;

  private final LeaderClock clock = new LeaderClock();

  @Test
  void termStartsWithTheWallClock() {
    assertThat(clock.stampMillis(WALL, 5)).isEqualTo(WALL);
    assertThat(clock.stampMillis(WALL + 1_000, 1_005)).isEqualTo(WALL + 1_000);
    clock.restart();
    assertThat(clock.stampMillis(WALL + YEAR, 1_006)).isEqualTo(WALL + YEAR);
    clock.restart();
    assertThat(clock.stampMillis(WALL, 1_007)).isEqualTo(WALL);
  }

  @Test
  void jumpAheadIsReportedAndHardlyFollowed() {
    clock.stampMillis(WALL, 0);
    assertThat(clock.stampMillis(WALL + YEAR, 1_000)).isEqualTo(WALL + 1_100);
    assertThat(clock.aheadMillis()).isEqualTo(1_100 - YEAR);
    // Right again: it comes back as slowly, and then stays.
    assertThat(clock.stampMillis(WALL + 1_500, 1_500)).isEqualTo(WALL + 1_550);
    assertThat(clock.stampMillis(WALL + 2_500, 2_500)).isEqualTo(WALL + 2_500);
    assertThat(clock.aheadMillis()).isZero();
  }

  @Test
  void jumpBackNeverTurnsStampsBack() {
    long last = clock.stampMillis(WALL, 0);
    for (int second = 1; second <= 100; second++) {
      long stamp = clock.stampMillis(WALL - YEAR, second * 1_000L);
      assertThat(stamp - last).isEqualTo(900);
      last = stamp;
    }
  }

  @Test
  void manyShortStepsApproachAsFastAsALongOne() {
    clock.stampMillis(WALL, 0);
    long stamp = 0;
    for (int millis = 1; millis <= 1_000; millis++) {
      stamp = clock.stampMillis(WALL + YEAR + millis, millis);
    }
    assertThat(stamp).isEqualTo(WALL + 1_100);
  }

  @Test
  void momentWithoutTimeStampsTheSame() {
    clock.stampMillis(WALL, 7);
    assertThat(clock.stampMillis(WALL + YEAR, 7)).isEqualTo(WALL);
    assertThat(clock.stampMillis(WALL - YEAR, 7)).isEqualTo(WALL);
  }
}
