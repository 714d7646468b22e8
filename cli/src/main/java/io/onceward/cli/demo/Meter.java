package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Second;
import io.onceward.cli.demo.Figures.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds up what the client processes tell about their work. A client that is started again counts
 * from nothing; here its earlier processes stay counted.
 */
final class Meter {
  /** What was measured in the last full second. */
  record Sample(long perSecond, long p50Micros, long p99Micros) {}

  private static final Work NOTHING = new Work(0, 0, 0, 0, 0);

  private final Work[] ended;
  private final Work[] running;
  private final Latencies whole = new Latencies();
  private final List<Second> history = new ArrayList<>();
  private Latencies recent = new Latencies();
  private Sample sample = new Sample(0, 0, 0);
  private long sampledDecided;
  private long sampledMillis;
  private char fault = ' ';

  Meter(int clients) {
    ended = new Work[clients];
    running = new Work[clients];
    for (int i = 0; i < clients; i++) {
      ended[i] = NOTHING;
      running[i] = NOTHING;
    }
  }

  synchronized void heard(int client, Gauge gauge) {
    running[client] =
        new Work(
            gauge.decided(), gauge.declined(), gauge.replays(), gauge.retries(), gauge.pending());
    recent.addAll(gauge.latencies());
    whole.addAll(gauge.latencies());
  }

  /** A client's process has ended; what it had pending is for its successor to tell. */
  synchronized void ended(int client) {
    Work last = running[client];
    ended[client] =
        sum(
            ended[client],
            new Work(last.decided(), last.declined(), last.replays(), last.retries(), 0));
    running[client] = NOTHING;
  }

  /** Marks the present second in the history. */
  synchronized void troubled(char letter) {
    fault = letter;
  }

  /** From now on seconds are counted. */
  synchronized void begin(long nowMillis) {
    sampledMillis = nowMillis;
    sampledDecided = total().decided();
  }

  /** Closes a second; gives what was measured in it. */
  synchronized Sample sample(long nowMillis) {
    long decided = total().decided();
    long millis = Math.max(1, nowMillis - sampledMillis);
    sample =
        new Sample(
            (decided - sampledDecided) * 1_000 / millis,
            recent.percentile(0.5),
            recent.percentile(0.99));
    sampledDecided = decided;
    sampledMillis = nowMillis;
    recent = new Latencies();
    history.add(new Second(sample.perSecond(), fault));
    fault = ' ';
    return sample;
  }

  /** What {@link #sample} gave last. */
  synchronized Sample lastSample() {
    return sample;
  }

  /** The latencies of the whole run. */
  synchronized Sample overall(long elapsedMillis) {
    return new Sample(
        total().decided() * 1_000 / Math.max(1, elapsedMillis),
        whole.percentile(0.5),
        whole.percentile(0.99));
  }

  synchronized List<Second> history() {
    return List.copyOf(history);
  }

  synchronized Work of(int client) {
    return sum(ended[client], running[client]);
  }

  synchronized Work total() {
    Work total = NOTHING;
    for (int i = 0; i < ended.length; i++) {
      total = sum(total, of(i));
    }
    return total;
  }

  private static Work sum(Work a, Work b) {
    return new Work(
        a.decided() + b.decided(),
        a.declined() + b.declined(),
        a.replays() + b.replays(),
        a.retries() + b.retries(),
        a.pending() + b.pending());
  }
}
