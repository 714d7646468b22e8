package io.onceward.torture;

import io.onceward.testkit.history.Finding;
import io.onceward.torture.Fault.Kind;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A run as one row of the ledger of long runs, docs/torture-runs.md. Leaders that were killed along
 * with all other nodes are not counted, nor are clients that were paused; power cuts are, by nodes.
 */
record LedgerEntry(Conclusion conclusion) {

  String row() {
    return row(LocalDate.now(ZoneOffset.UTC), Sources.commit());
  }

  String row(LocalDate date, String commit) {
    Map<Kind, Long> counts = conclusion.chronicle().counts();
    int seconds = conclusion.arguments().seconds();
    return String.format(
        Locale.ROOT,
        "| %s | %s | `%s` | %s | %,d | %,d | %,d | %,d | %,d | %,d |",
        date,
        commit.isEmpty() ? "unknown" : commit,
        conclusion.arguments().command(),
        seconds % 60 == 0
            ? String.valueOf(seconds / 60)
            : String.format(Locale.ROOT, "%.1f", seconds / 60.0),
        conclusion.summary().requests(),
        sum(counts, List.of(Kind.KILL_LEADER)),
        sum(counts, List.of(Kind.PAUSE_LEADER, Kind.PAUSE_FOLLOWER)),
        sum(
            counts,
            List.of(
                Kind.ISOLATE_LEADER,
                Kind.ISOLATE_FOLLOWER,
                Kind.ONE_WAY,
                Kind.BRIDGE,
                Kind.CLIENTS_CUT_OFF)),
        sum(counts, List.of(Kind.POWER_CUT, Kind.POWER_CUT_ALL)),
        conclusion.violations().size()
            + conclusion.findings().stream().mapToLong(Finding::violationCount).sum());
  }

  private static long sum(Map<Kind, Long> counts, List<Kind> kinds) {
    return kinds.stream().mapToLong(kind -> counts.getOrDefault(kind, 0L)).sum();
  }
}
