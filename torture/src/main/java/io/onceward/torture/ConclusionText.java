package io.onceward.torture;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistorySummary;
import io.onceward.torture.Fault.Kind;
import java.util.Locale;
import java.util.Map;

/** The end of a run, for people. */
record ConclusionText(Conclusion conclusion) {

  String text() {
    StringBuilder text = new StringBuilder();
    text.append('\n');
    for (Map.Entry<Kind, Long> each : conclusion.chronicle().counts().entrySet()) {
      line(text, "%6d  %s", each.getValue(), each.getKey().words());
    }
    for (Kind kind : conclusion.missing()) {
      line(text, "     -  %s (not possible on this machine)", kind.words());
    }
    HistorySummary summary = conclusion.summary();
    line(
        text,
        "%n%,d requests in %,d copies: %,d executed, %,d answers replayed, %,d refused, %,d unknown;"
            + " %,d queries",
        summary.requests(),
        summary.ops() - summary.queries(),
        summary.decided(),
        summary.replayed(),
        summary.refused(),
        summary.unknown(),
        summary.queries());
    for (Finding finding : conclusion.findings()) {
      text.append(finding).append('\n');
    }
    for (String violation : conclusion.violations()) {
      text.append("BROKEN ").append(violation).append('\n');
    }
    line(
        text,
        "%n%s: %s%n%s",
        conclusion.isClean() ? "Nothing was violated" : "VIOLATED",
        conclusion.network(),
        conclusion.arguments().command());
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
