package io.onceward.torture.fill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slice of what {@code torture --fill} does. */
@Tag("processes")
@Timeout(600)
class FillTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int fill(String words) {
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    return Fill.run(List.of(words.split(" ", -1)), out, out);
  }

  @Test
  void noNodeEndsWhenServicesTablesAndQueuesAreFilled() {
    int code = fill("--seconds 20 --only values --only replies --only scopes --only queue");
    assertThat(code).as(said::toString).isZero();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("OVERLOADED", "all is well");
  }

  @Test
  void noNodeEndsWhenLittleStaysOrNobodyKnowsWhatHappened() {
    int code = fill("--seconds 15 --only sparse-sessions --only doubts");
    assertThat(code).as(said::toString).isZero();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("all is well");
  }

  @Test
  void othersFindRoomWhenNamesAndClaimsAreFull() {
    int code =
        fill(
            "--seconds 15 --only aliases --only long-leases --only claim-stores"
                + " --only claim-scopes");
    assertThat(code).as(said::toString).isZero();
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("OVERLOADED", "all is well");
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThat(fill("--only nonsense")).isEqualTo(2);
    assertThat(fill("--heap 1")).isEqualTo(2);
    assertThat(fill("--colour blue")).isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("there are values, small-values");
  }
}
