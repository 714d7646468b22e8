package io.onceward.benchmarks.cluster;

/**
 * What a load came to.
 *
 * @param decided requests that were decided while it was measured, each counted once
 * @param executed requests that were executed in all, lead and end included
 * @param nanos how long it was measured
 * @param processorNanos what the client processes took of the processors meanwhile
 * @param latency from the call to the reply
 */
record Tally(long decided, long executed, long nanos, long processorNanos, Histogram latency) {

  double perSecond() {
    return decided * 1e9 / nanos;
  }

  double millis(double part) {
    return latency.percentile(part) / 1e6;
  }

  /** What two did side by side. */
  Tally merge(Tally other) {
    Histogram both = new Histogram();
    both.addAll(latency);
    both.addAll(other.latency);
    return new Tally(
        decided + other.decided,
        executed + other.executed,
        Math.max(nanos, other.nanos),
        processorNanos + other.processorNanos,
        both);
  }

  /** The same of a load that executes nothing. */
  Tally ofReads() {
    return new Tally(decided, 0, nanos, processorNanos, latency);
  }

  Tally during(Stopwatch watch) {
    return new Tally(decided, executed, watch.nanos(), watch.processorNanos(), latency);
  }

  Words words() {
    return new Words()
        .with("decided", decided)
        .with("executed", executed)
        .with("nanos", nanos)
        .with("processorNanos", processorNanos)
        .with("latency", latency.print());
  }

  static Tally parse(Words words) {
    return new Tally(
        words.large("decided"),
        words.large("executed"),
        words.large("nanos"),
        words.large("processorNanos"),
        Histogram.parse(words.text("latency")));
  }
}
