package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void percentilesAreAtMostASixteenthTooHigh() {
    Latencies latencies = new Latencies();
    Random dice = new Random(7);
    long[] all = new long[10_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = (long) Math.exp(dice.nextDouble() * 16);
      latencies.add(all[i]);
    }
    Arrays.sort(all);
    for (double part : new double[] {0.01, 0.5, 0.9, 0.99, 1.0}) {
      long exact = all[(int) Math.ceil(part * all.length) - 1];
      assertThat(latencies.percentile(part)).isBetween(exact, exact + exact / 16 + 1);
    }
  }

  @Test
  void extremesAreCounted() {
    Latencies latencies = new Latencies();
    latencies.add(-1);
    latencies.add(0);
    latencies.add(Long.MAX_VALUE);

    assertThat(latencies.total()).isEqualTo(3);
    assertThat(latencies.percentile(0.5)).isZero();
    assertThat(latencies.percentile(1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingCountedIsZero() {
    assertThat(new Latencies().percentile(0.99)).isZero();
  }

  @Test
  void printedAndParsedIsTheSame() {
    Latencies latencies = new Latencies();
    for (long micros = 1; micros < 10_000_000; micros = micros * 3 + 1) {
      latencies.add(micros);
      latencies.add(micros);
    }

    Latencies parsed = Latencies.parse(latencies.print());

    assertThat(parsed.print()).isEqualTo(latencies.print());
    assertThat(parsed.total()).isEqualTo(latencies.total());
    assertThat(Latencies.parse(new Latencies().print()).total()).isZero();
  }

  @Test
  void garbageIsRefused() {
    assertThatThrownBy(() -> Latencies.parse("12")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Latencies.parse("99999:1"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
