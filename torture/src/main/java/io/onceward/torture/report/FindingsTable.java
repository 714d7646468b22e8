package io.onceward.torture.report;

import io.onceward.testkit.history.Finding;

/** What was checked, and what came of it. */
record FindingsTable(TorturedRun run) {

  private static final String HOLDS = "<span class=\"holds\">✓ holds</span>";
  private static final String BROKEN = "<span class=\"fails\">✗ BROKEN</span>";
  private static final String EMPTY = "<span class=\"nothing\">nothing to look at</span>";

  String html() {
    Html html = new Html();
    html.raw("<table class=\"findings\"><thead><tr><th>promise</th>");
    html.raw("<th class=\"number\">checked</th><th>found</th></tr></thead><tbody>");
    for (Finding finding : run.findings()) {
      String checked = Html.grouped(finding.checked());
      row(html, finding, checked, finding.holds() && finding.checked() == 0 ? EMPTY : HOLDS);
    }
    Finding itself =
        new Finding(
            "TheRunItself",
            "no node ends by itself, somebody leads again when all is healed, and no client hears"
                + " what it should not",
            0,
            "",
            run.violations().size(),
            run.violations());
    row(html, itself, "", HOLDS);
    return html.raw("</tbody></table>").toString();
  }

  /**
   * What a check that looked at nothing shows is nothing, so how well it did is said from outside.
   */
  private static void row(Html html, Finding finding, String checked, String ifWell) {
    html.raw(finding.holds() ? "<tr>" : "<tr class=\"more\">");
    html.raw("<td><b class=\"name\">").text(finding.name()).raw("</b> ");
    html.text(finding.promise());
    if (!finding.counted().isEmpty()) {
      html.raw("<div class=\"counted\">").text(finding.counted()).raw("</div>");
    }
    html.raw("</td><td class=\"number\">").raw(checked).raw("</td><td>");
    html.raw(finding.holds() ? ifWell : BROKEN).raw("</td></tr>");
    if (!finding.holds()) {
      violations(html, finding);
    }
  }

  private static void violations(Html html, Finding finding) {
    html.raw("<tr><td colspan=\"3\"><ol class=\"violations\">");
    for (String violation : finding.violations()) {
      html.raw("<li>").text(violation).raw("</li>");
    }
    html.raw("</ol>");
    long more = finding.violationCount() - finding.violations().size();
    if (more > 0) {
      html.raw("<p class=\"counted\">and ").number(more).raw(" more</p>");
    }
    html.raw("</td></tr>");
  }
}
