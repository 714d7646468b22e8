package io.onceward.torture.report;

import io.onceward.testkit.history.HistoryTimeline.Stretch;
import io.onceward.torture.report.TorturedRun.Bar;
import io.onceward.torture.report.TorturedRun.Lane;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What the page's script draws, as JSON that may stand inside a script element. */
record ChartData(TorturedRun run) {

  String json() {
    Traffic traffic = run.traffic();
    StringBuilder json = new StringBuilder("{");
    json.append("\"fromMillis\":").append(traffic.fromMillis());
    json.append(",\"stretchMillis\":").append(traffic.stretchMillis());
    column(json, "executed", Stretch::executed);
    column(json, "replayed", Stretch::replayed);
    column(json, "refused", Stretch::refused);
    column(json, "unknown", Stretch::unknown);
    column(json, "queries", Stretch::queries);
    column(json, "p50", Stretch::p50Micros);
    column(json, "p99", Stretch::p99Micros);
    column(json, "max", Stretch::maxMicros);
    List<String> kinds = run.lanes().stream().map(Lane::kind).toList();
    json.append(",\n\"lanes\":[");
    json.append(run.lanes().stream().map(ChartData::lane).collect(Collectors.joining(",\n")));
    json.append("],\n\"bars\":[");
    json.append(run.bars().stream().map(bar -> bar(kinds, bar)).collect(Collectors.joining(",\n")));
    return json.append("]}").toString();
  }

  /** Waits are in microseconds; where there were none, null. */
  private void column(StringBuilder json, String name, ToLongFunction<Stretch> value) {
    json.append(",\n\"").append(name).append("\":[");
    json.append(
        run.traffic().stretches().stream()
            .mapToLong(value)
            .mapToObj(number -> number < 0 ? "null" : Long.toString(number))
            .collect(Collectors.joining(",")));
    json.append(']');
  }

  private static String lane(Lane lane) {
    return "{\"kind\":"
        + quoted(lane.kind())
        + ",\"group\":"
        + quoted(lane.group().name().toLowerCase(Locale.ROOT))
        + ",\"count\":"
        + lane.count()
        + "}";
  }

  private static String bar(List<String> kinds, Bar bar) {
    return "["
        + kinds.indexOf(bar.kind())
        + ","
        + bar.fromMillis()
        + ","
        + bar.untilMillis()
        + ","
        + quoted(bar.what())
        + "]";
  }

  /** No letter of it can end the script element or the string. */
  static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      boolean plain = next >= ' ' && next < 0x7f && "\"\\<>&".indexOf(next) < 0;
      json.append(plain ? String.valueOf(next) : String.format(Locale.ROOT, "\\u%04x", (int) next));
    }
    return json.append('"').toString();
  }
}
