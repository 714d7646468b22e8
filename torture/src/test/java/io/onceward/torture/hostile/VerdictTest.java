package io.onceward.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static Latencies p99(double millis) {
    return new Latencies(1, millis, 200);
  }

  /** Without an attack, the p99 is two milliseconds. */
  private static Verdict verdict(double during, @Nullable Latencies control, String... complaints) {
    return new Verdict(
        new Round.Result(
            new Attack.Aimed(Attack.IDLE, false),
            p99(2),
            p99(during),
            0,
            0,
            0,
            0,
            0,
            new Siege.Account(1, 1, 1, 1, Map.of()),
            List.of(complaints)),
        control,
        2.0);
  }

  @Test
  void upToTwiceAsSlowIsWell() {
    assertThat(verdict(4, null).word()).isEqualTo("ok");
    assertThat(verdict(4, null).isWell()).isTrue();
  }

  @Test
  void whatIsNearlyAsSlowElsewhereIsTheMachines() {
    assertThat(verdict(6, p99(3)).word()).isEqualTo("machine");
    assertThat(verdict(6, p99(3)).isWell()).isTrue();
  }

  @Test
  void whatIsMoreThanTwiceAsSlowAsElsewhereIsTheNodes() {
    assertThat(verdict(6, p99(2.9)).word()).isEqualTo("SLOW");
    assertThat(verdict(6, null).word()).isEqualTo("SLOW");
    assertThat(verdict(6, p99(2.9)).isWell()).isFalse();
  }

  @Test
  void aBrokenPromiseIsWrongHoweverFast() {
    assertThat(verdict(2, null, "a reply was lost").word()).isEqualTo("WRONG");
    assertThat(verdict(6, p99(6), "a reply was lost").isWell()).isFalse();
  }

  @Test
  void theTableCountsBoth() {
    List<Verdict> verdicts = List.of(verdict(3, null), verdict(6, p99(5)), verdict(9, p99(1)));
    HostileTable table = new HostileTable(verdicts, 2.0);
    assertThat(table.text()).contains("1 of 3 attacks: all is well. In 1 more, ").contains("SLOW");
    assertThat(table.isWell()).isFalse();
  }
}
