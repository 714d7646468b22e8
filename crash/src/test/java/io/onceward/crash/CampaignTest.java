package io.onceward.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few kills at every step of every home: real processes, a real PostgreSQL, a real node. */
class CampaignTest {
  private static final int ROUNDS_PER_STEP = 3;

  /** Between claim and record nobody but the bank knows. */
  private static final Set<Step> LEAVES_IT_UNKNOWN =
      Set.of(Step.CLAIM_AFTER, Step.CALL_SENT, Step.CALL_ANSWERED, Step.DONE_BEFORE, Step.PAUSED);

  private static Surroundings surroundings;

  @BeforeAll
  static void start() {
    surroundings = new Surroundings();
  }

  @AfterAll
  static void stop() {
    surroundings.close();
  }

  private static Tally run(Home home, PlantedBug bug, int rounds) {
    return new Campaign(surroundings, home, bug, rounds, 1, done -> {}).run();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostOrDoubledAndEveryRetryIsAnsweredTheSame(Home home) {
    int rounds = ROUNDS_PER_STEP * home.steps().size();
    Tally tally = run(home, null, rounds);
    assertThat(tally.findings()).isEmpty();
    assertThat(tally.isClean()).isTrue();
    assertThat(tally.total().rounds).isEqualTo(rounds);
    assertThat(tally.kills()).isGreaterThanOrEqualTo(rounds / home.lanes());
    for (Step step : home.steps()) {
      Tally.Row row = tally.row(step);
      assertThat(row.rounds).as(step.inWords()).isEqualTo(ROUNDS_PER_STEP);
      assertThat(row.killed).as("killed %s", step.inWords()).isPositive();
      assertThat(row.retried).as(step.inWords()).isGreaterThanOrEqualTo(row.killed);
      if (home.isGuarded() && LEAVES_IT_UNKNOWN.contains(step)) {
        // Who is killed once more while he resolves it is not heard of; that is rare.
        assertThat(row.unknownResolved).as("resolved %s", step.inWords()).isPositive();
      }
    }
  }

  @Test
  void businessThatCommitsApartFromItsReplyIsDoubled() {
    Tally tally = run(Home.TRANSACTION, PlantedBug.RECORDS_AFTER_THE_TRANSACTION, 24);
    assertThat(tally.total().doubled).isPositive();
    assertThat(tally.findings()).anyMatch(finding -> finding.contains("after the commit"));
  }

  @Test
  void claimThatCommitsApartFromItsBusinessIsLost() {
    Tally tally = run(Home.TRANSACTION, PlantedBug.CLAIMS_BEFORE_THE_TRANSACTION, 24);
    assertThat(tally.total().lost).isPositive();
  }

  @Test
  void journalWhoseLockVanishesIsBurgled() {
    Tally tally = run(Home.REPLICATED, PlantedBug.JOURNAL_LOCK_VANISHES, 6);
    assertThat(tally.burgled()).isPositive();
    assertThat(tally.isClean()).isFalse();
  }

  @Test
  void unknownRequestThatIsRunAgainIsDoubled() {
    Tally tally = run(Home.GUARD_ON_JDBC, PlantedBug.TAKES_UNKNOWN_FOR_FREE, 28);
    assertThat(tally.total().doubled).isPositive();
  }
}
