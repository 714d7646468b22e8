package io.onceward.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.history.Finding;
import io.onceward.torture.Availability.Episode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
  /** So many seconds of decisions all along, but for those from one second to another. */
  private static boolean[] decidedExcept(int seconds, int from, int until) {
    boolean[] decided = new boolean[seconds * 20];
    Arrays.fill(decided, true);
    Arrays.fill(decided, from * 20, until * 20, false);
    return decided;
  }

  private static List<Episode> episodes(int count, Episode first) {
    List<Episode> all = new ArrayList<>(List.of(first));
    while (all.size() < count) {
      all.add(new Episode("nothing", 90_000, 95_000));
    }
    return all;
  }

  @Test
  void tenSecondsWithoutADecisionAreAViolation() {
    Episode episode = new Episode("SIGKILL to a", 5_000, 40_000);
    Finding finding = Availability.judge(List.of(episode), decidedExcept(100, 10, 21));
    assertThat(finding.holds()).isFalse();
    assertThat(finding.violations().get(0)).contains("no decision for 11.0 s", "SIGKILL to a");
  }

  @Test
  void pauseWithoutAMajorityIsNone() {
    Episode before = new Episode("SIGKILL to a", 5_000, 10_000);
    Episode after = new Episode("everything healed", 40_000, 50_000);
    Finding finding = Availability.judge(List.of(before, after), decidedExcept(100, 10, 41));
    assertThat(finding.holds()).isTrue();
    assertThat(finding.checked()).isEqualTo(2);
    assertThat(finding.counted()).contains("1.00 s at most");
  }

  @Test
  void oneSlowEpisodeInAHundredIsAllowed() {
    boolean[] decided = decidedExcept(100, 10, 15);
    Episode slow = new Episode("SIGKILL to a", 5_000, 40_000);
    assertThat(Availability.judge(episodes(100, slow), decided).holds()).isTrue();
    List<Episode> two = episodes(100, slow);
    two.set(1, slow);
    assertThat(Availability.judge(two, decided).holds()).isFalse();
    assertThat(Availability.judge(List.of(slow), decided).holds())
        .as("one episode alone is no percentage")
        .isTrue();
  }

  @Test
  void episodeThatEndsUndecidedTookAtLeastAsLong() {
    Episode episode = new Episode("SIGKILL to a", 10_000, 21_000);
    assertThat(Availability.judge(List.of(episode), decidedExcept(100, 10, 30)).holds()).isFalse();
  }

  @Test
  void healingEndsNoEpisode() {
    Availability availability = new Availability();
    availability.expected("SIGKILL to a", 4_000);
    availability.healed(7_000);
    availability.unclear(9_000);
    availability.healed(12_000);
    availability.unclear(13_000);
    assertThat(availability.episodes())
        .containsExactly(
            new Episode("SIGKILL to a", 4_000, 9_000),
            new Episode("everything was healed", 12_000, 13_000));
  }

  @Test
  void whatHappensEndsAnEpisode() {
    Availability availability = new Availability();
    availability.expected("healed", 1_000);
    availability.unclear(2_000);
    availability.unclear(3_000);
    availability.expected("SIGKILL to a", 4_000);
    availability.expected("SIGSTOP to client1", 5_000);
    availability.unclear(6_000);
    assertThat(availability.episodes())
        .containsExactly(
            new Episode("healed", 1_000, 2_000),
            new Episode("SIGKILL to a", 4_000, 5_000),
            new Episode("SIGSTOP to client1", 5_000, 6_000));
  }
}
