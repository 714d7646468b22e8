package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Executed;
import io.onceward.guard.Ruling;
import org.junit.jupiter.api.Test;

/** The answers of Onceward itself. */
class ProblemTest {
  @Test
  void unknownThatAResendSettlesAsksForTheResend() {
    Problem problem = Problem.of(new Ruling.Unknown("the commit's answer was lost", null, true));
    assertThat(problem.detail()).contains("same key").doesNotContain("operator", "probe");
    assertThat(problem.retryAfterSeconds()).isPositive();
    assertThat(problem.executed()).isEqualTo(Executed.UNKNOWN);
    assertThat(problem.mayResend()).isTrue();
  }

  @Test
  void unknownThatOnlyAnOperatorSettlesNamesNoTime() {
    Problem problem = Problem.of(new Ruling.Unknown("timed out", null));
    assertThat(problem.detail()).contains("operator");
    assertThat(problem.retryAfterSeconds()).isZero();
  }
}
