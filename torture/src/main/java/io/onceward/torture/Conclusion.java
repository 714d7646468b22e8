package io.onceward.torture;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistorySummary;
import io.onceward.torture.Fault.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What a run came to.
 *
 * @param missing faults that this machine does not allow
 * @param violations what went wrong beside the findings: a node that ended by itself, say
 */
public record Conclusion(
    TortureArguments arguments,
    String network,
    Set<Kind> missing,
    Chronicle chronicle,
    HistorySummary summary,
    List<Finding> findings,
    List<String> violations,
    List<Path> histories) {

  public boolean isClean() {
    return violations.isEmpty() && findings.stream().allMatch(Finding::holds);
  }
}
