package io.onceward.torture.report;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistorySummary;
import java.time.Instant;
import java.util.List;

/**
 * All that the page tells about a run. Times are in milliseconds from the beginning of the run.
 *
 * @param commit of the sources; empty if nobody knows
 * @param lanes the kinds of faults that happened, group by group
 * @param missing kinds that were wanted and that this machine does not allow
 * @param notAsked kinds that were left out on purpose
 * @param violations what went wrong beside the findings
 */
public record TorturedRun(
    Instant began,
    long seed,
    String command,
    int seconds,
    String commit,
    Machine machine,
    String network,
    List<Lane> lanes,
    List<Bar> bars,
    List<String> missing,
    List<String> notAsked,
    HistorySummary summary,
    List<Finding> findings,
    List<String> violations,
    Traffic traffic) {

  /** What faults strike; each has a colour. */
  public enum Group {
    NODES("nodes"),
    NETWORK("the network"),
    DISKS("disks and clocks"),
    MEMBERS("the cluster itself"),
    CLIENTS("clients");

    private final String words;

    Group(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** One kind of fault, and how often it happened, counted by victims. */
  public record Lane(String kind, Group group, long count) {}

  /**
   * One fault.
   *
   * @param kind that of its lane
   * @param untilMillis when all of its episode was healed and somebody led again
   */
  public record Bar(String kind, String what, long fromMillis, long untilMillis) {}

  public boolean isClean() {
    return violations.isEmpty() && findings.stream().allMatch(Finding::holds);
  }
}
