package io.onceward.torture.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What all attacks came to, a line for each, and the verdict on each. */
record HostileTable(List<Round.Result> results, double mostRatio) {
  private static final List<String> HEADINGS =
      List.of(
          "attack",
          "p50 before",
          "during",
          "p99 before",
          "during",
          "ratio",
          "honest/s",
          "heap MiB",
          "rss MiB",
          "fds",
          "verdict");

  boolean isWell() {
    return results.stream().allMatch(result -> verdict(result).equals("ok"));
  }

  private String verdict(Round.Result result) {
    if (!result.complaints().isEmpty()) {
      return "WRONG";
    }
    return result.ratio() <= mostRatio ? "ok" : "SLOW";
  }

  String text() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    for (Round.Result result : results) {
      rows.add(
          List.of(
              result.attack().name(),
              number("%.2f", result.before().p50()),
              number("%.2f", result.during().p50()),
              number("%.2f", result.before().p99()),
              number("%.2f", result.during().p99()),
              number("%.1f", result.ratio()),
              number("%.0f", result.during().perSecond()),
              Long.toString(result.heapMebibytes()),
              Long.toString(result.residentMebibytes()),
              result.descriptorsMost() + "",
              verdict(result)));
    }
    StringBuilder text = new StringBuilder("\n");
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(padded(row.get(column), width(rows, column), column == 0));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    long well = results.stream().filter(result -> verdict(result).equals("ok")).count();
    text.append(
        String.format(
            Locale.ROOT,
            "%n%d of %d attacks: all is well. Times in ms, medians of measurements; p99 may be %.1f"
                + " times what it is without an attack.%n",
            well,
            results.size(),
            mostRatio));
    return text.toString();
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
