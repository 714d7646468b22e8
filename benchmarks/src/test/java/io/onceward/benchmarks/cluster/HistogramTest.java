package io.onceward.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private final Histogram histogram = new Histogram();

  @Test
  void shortDurationsAreKeptExactly() {
    for (int nanos = 1; nanos <= 200; nanos++) {
      histogram.add(nanos);
    }
    assertThat(histogram.percentile(0.5)).isEqualTo(100);
    assertThat(histogram.percentile(0.99)).isEqualTo(198);
    assertThat(histogram.percentile(1)).isEqualTo(200);
    assertThat(histogram.percentile(0)).isEqualTo(1);
  }

  @Test
  void percentilesAreThoseOfTheSortedDurationsToWithinAPercent() {
    SplittableRandom random = new SplittableRandom(7);
    long[] all = new long[10_001];
    for (int i = 0; i < all.length; i++) {
      all[i] = (long) Math.exp(random.nextDouble(35));
      histogram.add(all[i]);
    }
    Arrays.sort(all);
    for (double part : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
      long exact = all[(int) Math.ceil(part * all.length) - 1];
      assertThat(histogram.percentile(part))
          .as("percentile %s", part)
          .isCloseTo(exact, Percentage.withPercentage(1));
    }
  }

  @Test
  void theLongestAndTheImpossibleHaveAPlaceToo() {
    histogram.add(Long.MAX_VALUE);
    histogram.add(-1);
    assertThat(histogram.count()).isEqualTo(2);
    assertThat(histogram.percentile(0.5)).isZero();
    assertThat(histogram.percentile(1)).isCloseTo(Long.MAX_VALUE, Percentage.withPercentage(1));
  }

  @Test
  void whatIsPrintedIsReadBackAndAddsUp() {
    for (int i = 0; i < 1_000; i++) {
      histogram.add(i * 1_000L);
    }
    Histogram both = Histogram.parse(histogram.print());
    assertThat(both.print()).isEqualTo(histogram.print());
    both.addAll(histogram);
    assertThat(both.count()).isEqualTo(2_000);
    assertThat(both.percentile(0.9)).isEqualTo(histogram.percentile(0.9));
  }

  @Test
  void anEmptyOneHasNoPercentiles() {
    assertThat(Histogram.parse(histogram.print()).count()).isZero();
    assertThatThrownBy(() -> histogram.percentile(0.5)).isInstanceOf(IllegalStateException.class);
  }
}
