package io.onceward.crash;

import java.util.List;
import java.util.Locale;

/** Shows what came out, to people or to programs. */
final class Report {
  private final List<Tally> tallies;

  Report(List<Tally> tallies) {
    this.tallies = tallies;
  }

  boolean isClean() {
    return tallies.stream().allMatch(Tally::isClean);
  }

  String table() {
    StringBuilder text = new StringBuilder();
    for (Tally tally : tallies) {
      line(text, tally.home().text(), "rounds", "killed", "retried", "replayed", "resolved");
      text.append(String.format(Locale.ROOT, " %5s %8s %10s%n", "lost", "doubled", "different"));
      for (Step step : tally.home().steps()) {
        row(text, "  " + step.inWords(), tally.row(step));
      }
      row(text, "  all", tally.total());
      text.append(
          String.format(
              Locale.ROOT, "  %d processes killed, %.0f s%n", tally.kills(), tally.seconds()));
      tally.findings().forEach(finding -> text.append("  ! ").append(finding).append('\n'));
      text.append('\n');
    }
    text.append(
        isClean()
            ? "Nothing lost, nothing doubled, every retry answered the same.\n"
            : "The books do not agree with what was answered.\n");
    return text.toString();
  }

  private static void row(StringBuilder text, String name, Tally.Row row) {
    line(text, name, row.rounds, row.killed, row.retried, row.replayed, row.unknownResolved);
    text.append(
        String.format(Locale.ROOT, " %5d %8d %10d%n", row.lost, row.doubled, row.different));
  }

  private static void line(StringBuilder text, String name, Object... values) {
    text.append(String.format(Locale.ROOT, "%-38s", name));
    for (Object value : values) {
      text.append(String.format(Locale.ROOT, " %8s", value));
    }
  }

  String json() {
    StringBuilder json = new StringBuilder("{\"clean\":").append(isClean()).append(",\"homes\":[");
    String comma = "";
    for (Tally tally : tallies) {
      json.append(comma).append("{\"home\":").append(quoted(tally.home().text()));
      json.append(",\"processesKilled\":").append(tally.kills());
      json.append(String.format(Locale.ROOT, ",\"seconds\":%.1f,\"steps\":[", tally.seconds()));
      String between = "";
      for (Step step : tally.home().steps()) {
        json.append(between).append("{\"step\":").append(quoted(step.inWords())).append(',');
        counts(json, tally.row(step)).append('}');
        between = ",";
      }
      json.append("],\"all\":{");
      counts(json, tally.total()).append("},\"findings\":[");
      between = "";
      for (String finding : tally.findings()) {
        json.append(between).append(quoted(finding));
        between = ",";
      }
      json.append("]}");
      comma = ",";
    }
    return json.append("]}\n").toString();
  }

  private static StringBuilder counts(StringBuilder json, Tally.Row row) {
    return json.append("\"rounds\":")
        .append(row.rounds)
        .append(",\"killed\":")
        .append(row.killed)
        .append(",\"retried\":")
        .append(row.retried)
        .append(",\"replayed\":")
        .append(row.replayed)
        .append(",\"unknownResolved\":")
        .append(row.unknownResolved)
        .append(",\"lost\":")
        .append(row.lost)
        .append(",\"doubled\":")
        .append(row.doubled)
        .append(",\"different\":")
        .append(row.different);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
