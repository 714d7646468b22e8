package io.onceward.torture.report;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistorySummary;
import io.onceward.torture.report.TorturedRun.Bar;
import io.onceward.torture.report.TorturedRun.Group;
import io.onceward.torture.report.TorturedRun.Lane;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page about one run. Script, style and the library that draws are inside, and the page forbids
 * itself to load anything.
 */
public record Page(TorturedRun run) {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

  /** Where the library is in its jar, which has the layout of its npm package. */
  private static final String LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  public void writeTo(Path file) throws IOException {
    Files.writeString(file, html());
  }

  String html() throws IOException {
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("title", Html.escaped(title())),
            Map.entry("style", resource("page.css")),
            Map.entry("verdict", verdict()),
            Map.entry("facts", facts()),
            Map.entry("legend", legend()),
            Map.entry("counts", counts()),
            Map.entry("findings", new FindingsTable(run).html()),
            Map.entry("requests", requests()),
            Map.entry("faults", faults()),
            Map.entry("data", new ChartData(run).json()),
            Map.entry("library", resource(LIBRARY)),
            Map.entry("script", resource("page.js")));
    // In one pass: what a part contains is never taken for a place.
    return PLACE
        .matcher(resource("page.html"))
        .replaceAll(place -> Matcher.quoteReplacement(parts.getOrDefault(place.group(1), "")));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the page lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String title() {
    return (run.isClean() ? "Nothing was violated" : "VIOLATED") + ": torture, seed " + run.seed();
  }

  private String verdict() {
    HistorySummary summary = run.summary();
    Html html = new Html();
    html.raw("<header class=\"verdict ").raw(run.isClean() ? "clean" : "broken").raw("\">");
    html.raw("<span class=\"sign\" aria-hidden=\"true\">").raw(run.isClean() ? "✓" : "✗");
    html.raw("</span><div><h1>").raw(run.isClean() ? "Nothing was violated" : "VIOLATED");
    html.raw("</h1><p>").number(summary.requests()).raw(" requests in ");
    html.number(summary.ops() - summary.queries()).raw(" copies, asked during ");
    html.number(run.bars().size()).raw(run.bars().size() == 1 ? " fault" : " faults");
    html.raw(" in ").text(duration()).raw(". ").text(howManyHold()).raw("</p>");
    if (!run.isClean()) {
      html.raw("<ul>");
      for (Finding finding : run.findings()) {
        if (!finding.holds()) {
          html.raw("<li><b>").text(finding.name()).raw("</b>, ");
          html.number(finding.violationCount()).raw(" times: not true that ");
          html.text(finding.promise()).raw("</li>");
        }
      }
      for (String violation : run.violations()) {
        html.raw("<li class=\"words\">").text(violation).raw("</li>");
      }
      html.raw("</ul>");
    }
    return html.raw("</div></header>").toString();
  }

  private String howManyHold() {
    long broken = run.findings().stream().filter(finding -> !finding.holds()).count();
    long empty =
        run.findings().stream().filter(each -> each.holds() && each.checked() == 0).count();
    long holding = run.findings().size() - broken - empty;
    String words = holding + " of " + run.findings().size() + " checks hold";
    words += broken == 0 ? "" : ", " + broken + (broken == 1 ? " is" : " are") + " broken";
    return words + (empty == 0 ? "." : ", " + empty + " found nothing to look at.");
  }

  private String duration() {
    int seconds = run.seconds();
    return seconds % 60 == 0
        ? seconds / 60 + (seconds == 60 ? " minute" : " minutes")
        : seconds + (seconds == 1 ? " second" : " seconds");
  }

  private String facts() {
    Html html = new Html().raw("<dl class=\"facts\">");
    html.raw("<dt>Repeat it</dt><dd class=\"command\"><code id=\"command\">").text(run.command());
    html.raw("</code> <button type=\"button\" id=\"copy\">copy</button></dd>");
    fact(html, "Seed", String.valueOf(run.seed()));
    if (!run.commit().isEmpty()) {
      fact(html, "Commit", run.commit());
    }
    fact(html, "Began", DATE.format(run.began()));
    fact(html, "Machine", run.machine().words());
    fact(html, "System", run.machine().kernel() + "; " + run.machine().java());
    fact(html, "Network", run.network());
    return html.raw("</dl>").toString();
  }

  private static void fact(Html html, String name, String value) {
    html.raw("<dt>").raw(name).raw("</dt><dd>").text(value).raw("</dd>");
  }

  private String legend() {
    Html html = new Html();
    for (Group group : Group.values()) {
      if (run.lanes().stream().anyMatch(lane -> lane.group() == group)) {
        html.raw("<span class=\"key\"><i class=\"").raw(colour(group)).raw("\"></i>");
        html.raw(group.words()).raw("</span>");
      }
    }
    return html.toString();
  }

  private static String colour(Group group) {
    return group.name().toLowerCase(Locale.ROOT);
  }

  private String counts() {
    Html html = new Html();
    html.raw("<table class=\"counts\"><thead><tr><th>fault</th><th>struck</th>");
    html.raw("<th class=\"number\">times</th></tr></thead><tbody>");
    for (Lane lane : run.lanes()) {
      html.raw("<tr><td><i class=\"").raw(colour(lane.group())).raw("\"></i>");
      html.text(lane.kind()).raw("</td><td>").raw(lane.group().words());
      html.raw("</td><td class=\"number\">").number(lane.count()).raw("</td></tr>");
    }
    html.raw("</tbody></table>");
    if (run.missing().isEmpty()) {
      html.raw("<p>This machine allows every kind of fault that was asked for.</p>");
    } else {
      html.raw("<p class=\"missing\"><b>NOT tested, because this machine does not allow it:</b> ");
      html.text(String.join("; ", run.missing())).raw(".</p>");
    }
    if (!run.notAsked().isEmpty()) {
      html.raw("<p><b>Not asked for:</b> ").text(String.join("; ", run.notAsked())).raw(".</p>");
    }
    return html.toString();
  }

  private String requests() {
    HistorySummary summary = run.summary();
    Html html = new Html().raw("<table class=\"requests\"><tbody>");
    row(html, summary.requests(), "different requests");
    row(html, summary.ops() - summary.queries(), "copies of them and inquiries about them");
    row(html, summary.decided(), "requests executed");
    row(html, summary.replayed(), "answers replayed");
    row(html, summary.refused(), "copies refused");
    row(html, summary.unknown(), "requests of which nobody learned whether they executed");
    row(html, summary.holes(), "effects of which nobody was told");
    row(html, summary.queries(), "queries");
    row(html, summary.files(), "processes that recorded what they asked and heard");
    row(html, summary.tornFiles(), "of them killed in the middle of a record");
    return html.raw("</tbody></table>").toString();
  }

  private static void row(Html html, long number, String what) {
    html.raw("<tr><td class=\"number\">").number(number).raw("</td><td>");
    html.raw(what).raw("</td></tr>");
  }

  private String faults() {
    Html html = new Html();
    html.raw("<table><thead><tr><th class=\"number\">at</th><th class=\"number\">for</th>");
    html.raw("<th>fault</th><th>what</th></tr></thead><tbody>");
    List<Bar> bars = run.bars().stream().sorted(Comparator.comparingLong(Bar::fromMillis)).toList();
    for (Bar bar : bars) {
      html.raw("<tr><td class=\"number\">").raw(Html.clock(bar.fromMillis()));
      html.raw("</td><td class=\"number\">");
      html.raw(
          String.format(Locale.ROOT, "%.1f s", (bar.untilMillis() - bar.fromMillis()) / 1_000.0));
      html.raw("</td><td>").text(bar.kind()).raw("</td><td>").text(bar.what()).raw("</td></tr>");
    }
    return html.raw("</tbody></table>").toString();
  }
}
