package io.onceward.torture.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What all attacks came to, a line for each, and the verdict on each. */
record HostileTable(List<Verdict> verdicts, double mostRatio) {
  private static final List<String> HEADINGS =
      List.of(
          "attack",
          "p50 before",
          "during",
          "p99 before",
          "during",
          "ratio",
          "elsewhere",
          "honest/s",
          "heap MiB",
          "rss MiB",
          "fds",
          "verdict");

  boolean isWell() {
    return verdicts.stream().allMatch(Verdict::isWell);
  }

  String text() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    for (Verdict verdict : verdicts) {
      Round.Result result = verdict.result();
      Latencies control = verdict.control();
      rows.add(
          List.of(
              result.attack().name(),
              number("%.2f", result.before().p50()),
              number("%.2f", result.during().p50()),
              number("%.2f", result.before().p99()),
              number("%.2f", result.during().p99()),
              number("%.1f", result.ratio()),
              control == null ? "" : number("%.2f", control.p99()),
              number("%.0f", result.during().perSecond()),
              Long.toString(result.heapMebibytes()),
              Long.toString(result.residentMebibytes()),
              result.descriptorsMost() + "",
              verdict.word()));
    }
    StringBuilder text = new StringBuilder("\n");
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(padded(row.get(column), width(rows, column), column == 0));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%n%d of %d attacks: all is well. In %d more, p99 is at most %.1f times what it is while"
                + " the same%nattack hits another node of this machine (machine). Times in ms,"
                + " medians of measurements; p99 may%nbe %.1f times what it is without an"
                + " attack.%n",
            count("ok"),
            verdicts.size(),
            count("machine"),
            mostRatio,
            mostRatio));
    return text.toString();
  }

  private long count(String word) {
    return verdicts.stream().filter(verdict -> verdict.word().equals(word)).count();
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static String padded(String cell, int width, boolean left) {
    String blanks = " ".repeat(width - cell.length());
    return (left ? cell + blanks : blanks + cell) + "  ";
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
