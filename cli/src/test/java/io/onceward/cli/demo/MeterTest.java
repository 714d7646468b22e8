package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.demo.Figures.Second;
import io.onceward.cli.demo.Figures.Work;
import org.junit.jupiter.api.Test;

class MeterTest {
  private final Meter meter = new Meter(2);

  private static Gauge gauge(long decided, long micros) {
    Latencies latencies = new Latencies();
    latencies.add(micros);
    return new Gauge(decided, 2, 3, 4, 5, latencies);
  }

  @Test
  void totalsAddUpOverClients() {
    meter.heard(0, gauge(100, 1));
    meter.heard(1, gauge(11, 1));

    assertThat(meter.total()).isEqualTo(new Work(111, 4, 6, 8, 10));
  }

  @Test
  void earlierProcessesOfAClientStayCounted() {
    meter.heard(0, gauge(100, 1));
    meter.ended(0);
    assertThat(meter.of(0)).isEqualTo(new Work(100, 2, 3, 4, 0));

    meter.heard(0, gauge(7, 1));

    assertThat(meter.of(0)).isEqualTo(new Work(107, 4, 6, 8, 5));
  }

  @Test
  void aSecondTellsWhatWasDecidedInIt() {
    meter.begin(1_000);
    meter.heard(0, gauge(100, 1));
    assertThat(meter.sample(2_000).perSecond()).isEqualTo(100);

    meter.heard(0, gauge(400, 1));

    assertThat(meter.sample(4_000).perSecond()).isEqualTo(150);
  }

  @Test
  void latenciesAreThoseOfTheLastSecondAndOfTheWholeRun() {
    meter.heard(0, gauge(1, 10));
    assertThat(meter.sample(1_000).p99Micros()).isEqualTo(10);

    meter.heard(0, gauge(2, 20));

    assertThat(meter.sample(2_000).p50Micros()).isEqualTo(20);
    assertThat(meter.overall(2_000).p50Micros()).isEqualTo(10);
  }

  @Test
  void historyMarksTheSecondInWhichAFaultBegan() {
    meter.sample(1_000);
    meter.troubled('K');
    meter.sample(2_000);
    meter.sample(3_000);

    assertThat(meter.history()).extracting(Second::fault).containsExactly(' ', 'K', ' ');
  }

  @Test
  void gaugeIsPrintedAndParsed() {
    Gauge gauge = gauge(100, 77);

    Gauge parsed = Gauge.parse(gauge.print());

    assertThat(parsed.print()).isEqualTo(gauge.print());
    assertThat(Gauge.isOne(gauge.print())).isTrue();
    assertThat(Gauge.isOne("ready")).isFalse();
  }
}
