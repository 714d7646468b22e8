package io.onceward.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgementTest {
  private final Judgement judgement = new Judgement(2.0);
  private int rounds;

  private static Latencies p99(double millis) {
    return new Latencies(1, millis, 200);
  }

  private void usually(double... p99) {
    Arrays.stream(p99).forEach(millis -> judgement.usually(p99(millis)));
  }

  private static Round.Result round(double before, double during, String... complaints) {
    return new Round.Result(
        new Attack.Aimed(Attack.IDLE, false),
        p99(before),
        p99(during),
        0,
        0,
        0,
        0,
        0,
        new Siege.Account(1, 1, 1, 1, Map.of()),
        List.of(complaints));
  }

  private Round.Result judge(Round.Result... played) throws Exception {
    ArrayDeque<Round.Result> left = new ArrayDeque<>(List.of(played));
    rounds = 0;
    return judgement.judge(
        () -> {
          rounds++;
          return left.remove();
        });
  }

  @Test
  void ofAHundredRequestsTheSlowestIsTheP99() {
    long[] nanos = new long[200];
    Arrays.fill(nanos, 1_000_000);
    nanos[17] = 7_000_000;
    nanos[18] = 9_000_000;
    assertThat(Latencies.of(nanos, 1_000_000_000)).isEqualTo(new Latencies(1, 7, 200));
  }

  @Test
  void aLuckyMomentBeforeAnAttackDoesNotMakeItSlow() throws Exception {
    usually(4, 5, 4);
    Round.Result result = judge(round(1.5, 5));
    assertThat(result.before().p99()).isEqualTo(4);
    assertThat(result.ratio()).isEqualTo(1.25);
    assertThat(rounds).isEqualTo(1);
  }

  @Test
  void anUnluckyMomentBeforeAnAttackDoesNotExcuseIt() throws Exception {
    usually(4, 4, 90);
    Round.Result slow = round(80, 20);
    Round.Result result = judge(slow, round(4, 20), round(4, 20));
    assertThat(result.before().p99()).isEqualTo(4);
    assertThat(result.ratio()).isEqualTo(5);
  }

  @Test
  void oneStallDuringAnAttackDoesNotMakeItSlow() throws Exception {
    usually(4, 5, 4);
    Round.Result result = judge(round(4, 60), round(4, 5), round(4, 6));
    assertThat(rounds).isEqualTo(Judgement.ROUNDS);
    assertThat(result.during().p99()).isEqualTo(6);
    assertThat(result.ratio()).isEqualTo(1.5);
  }

  @Test
  void whatIsSlowMoreOftenThanNotIsSlow() throws Exception {
    usually(4, 5, 4);
    assertThat(judge(round(4, 370), round(4, 5), round(4, 20)).ratio()).isEqualTo(5);
  }

  @Test
  void whatWasLongAgoDoesNotCount() throws Exception {
    usually(40, 40, 40, 40, 40, 40, 40, 40, 40, 40);
    usually(4, 4, 4, 4);
    assertThat(judge(round(4, 5)).before().p99()).isEqualTo(4);
  }

  @Test
  void aLaterRoundDoesNotHideWhatWasWrong() throws Exception {
    usually(4, 5, 4);
    Round.Result result = judge(round(4, 60), round(4, 5, "a reply was lost"));
    assertThat(result.complaints()).containsExactly("a reply was lost");
    result = judge(round(4, 60, "a session is gone"));
    assertThat(rounds).isEqualTo(1);
    assertThat(result.complaints()).containsExactly("a session is gone");
  }
}
