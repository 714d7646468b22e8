package io.onceward.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.onceward.guard.Ruling;
import org.junit.jupiter.api.Test;

/** The answers of Onceward itself. */
class AnswersTest {
  @Test
  void unknownThatAResendSettlesAsksForTheResend() {
    Answers answer = Answers.of(new Ruling.Unknown("the commit's answer was lost", null, true));
    assertThat(answer.status().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(answer.status().getDescription()).contains("same key").doesNotContain("operator");
    assertThat(answer.trailers().get(Answers.PUSHBACK)).isEqualTo("1000");
    assertThat(answer.trailers().get(Answers.EXECUTED)).isEqualTo("unknown");
    assertThat(answer.trailers().get(Answers.MAY_RESEND)).isEqualTo("true");
  }

  @Test
  void unknownThatOnlyAnOperatorSettlesHasNoPushback() {
    Answers answer = Answers.of(new Ruling.Unknown("timed out", null));
    assertThat(answer.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(answer.status().getDescription()).contains("operator");
    assertThat(answer.trailers().containsKey(Answers.PUSHBACK)).isFalse();
  }
}
