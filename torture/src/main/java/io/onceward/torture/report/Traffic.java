package io.onceward.torture.report;

import io.onceward.testkit.history.HistoryTimeline;
import io.onceward.testkit.history.HistoryTimeline.Stretch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What clients heard over time, without the quiet before the first answer and after the last.
 *
 * @param fromMillis when the first stretch begins, from the beginning of the run
 */
public record Traffic(long fromMillis, long stretchMillis, List<Stretch> stretches) {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long FINEST_MILLIS = 250;

  /** About one for each dot of a wide screen. */
  private static final long MOST_STRETCHES = 1_200;

  /** Reads the histories of a run that lasted from one moment to another. */
  public static Traffic of(List<Path> histories, long beginNanos, long endNanos)
      throws IOException {
    long stretch = stretchMillis((endNanos - beginNanos) / NANOS_PER_MILLI);
    HistoryTimeline timeline =
        HistoryTimeline.of(histories, beginNanos, endNanos, stretch * NANOS_PER_MILLI);
    return trimmed(stretch, timeline.stretches());
  }

  static long stretchMillis(long runMillis) {
    long stretch = FINEST_MILLIS;
    while (runMillis / stretch > MOST_STRETCHES) {
      stretch *= 2;
    }
    return stretch;
  }

  static Traffic trimmed(long stretchMillis, List<Stretch> all) {
    int first = 0;
    int last = all.size();
    while (first < last && isQuiet(all.get(first))) {
      first++;
    }
    while (last > first && isQuiet(all.get(last - 1))) {
      last--;
    }
    return new Traffic(first * stretchMillis, stretchMillis, all.subList(first, last));
  }

  private static boolean isQuiet(Stretch stretch) {
    return stretch.executed()
            + stretch.replayed()
            + stretch.refused()
            + stretch.unknown()
            + stretch.queries()
        == 0;
  }
}
