package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.util.List;

/**
 * How a run ended.
 *
 * @param decided requests with a reply, as the clients wrote them down
 * @param work what was counted while it went on; a killed client does not tell its last figures
 * @param replay the command that plays the same faults again
 * @param kept where the data is, if it was kept; else empty
 */
record Conclusion(
    long elapsedMillis,
    long decided,
    Work work,
    Meter.Sample overall,
    Troubles troubles,
    List<Finding> findings,
    String replay,
    String kept) {

  /** Whether everything held that was to be proven. */
  boolean holds() {
    return findings.stream().allMatch(Finding::holds);
  }
}
