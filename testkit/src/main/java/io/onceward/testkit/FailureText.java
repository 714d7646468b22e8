package io.onceward.testkit;

import io.onceward.testkit.Simulation.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A failed seed in a few lines: what broke, the first findings, and how many there are of each
 * kind. A seed can have hundreds of findings; what does not fit goes to a file.
 */
final class FailureText {
  private static final int FIRST_FINDINGS = 5;
  private static final int LONGEST_LINE = 500;
  private static final int LONGEST_STORY = 4_000;
  private static final Pattern IN_BRACKETS = Pattern.compile("\\[[^\\[\\]]*]?");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final Report report;
  private final Path folder;

  FailureText(Report report, Path folder) {
    this.report = report;
    this.folder = folder;
  }

  void print(PrintStream out) {
    List<String> findings = report.findings();
    out.println("seed " + report.seed() + " failed: " + report.broken());
    out.println("  " + cut(report.whatHappened(), LONGEST_STORY));
    for (String finding : findings.subList(0, Math.min(FIRST_FINDINGS, findings.size()))) {
      out.println("  - " + cut(finding, LONGEST_LINE));
    }
    if (findings.size() > FIRST_FINDINGS) {
      out.println("  and " + (findings.size() - FIRST_FINDINGS) + " more; in all:");
      byKind(findings).forEach((kind, count) -> out.println("  " + count + " x " + kind));
    }
    if (leavesSomethingOut()) {
      out.println("  " + written());
    }
  }

  private boolean leavesSomethingOut() {
    boolean cut = report.whatHappened().length() > LONGEST_STORY;
    for (String finding : report.findings()) {
      cut |= finding.length() > LONGEST_LINE;
    }
    return cut || report.findings().size() > FIRST_FINDINGS;
  }

  private String written() {
    Path file = folder.resolve("seed-" + report.seed() + ".txt");
    StringBuilder all = new StringBuilder(report.whatHappened()).append('\n');
    for (String finding : report.findings()) {
      all.append(finding).append('\n');
    }
    try {
      Files.createDirectories(folder);
      Files.writeString(file, all, StandardCharsets.UTF_8);
      return "all of it: " + file;
    } catch (IOException problem) {
      return "the rest could not be written to " + file + ": " + problem;
    }
  }

  private static String cut(String text, int most) {
    return text.length() <= most
        ? text
        : text.substring(0, most) + "… (" + text.length() + " characters)";
  }

  /** Findings that differ only in numbers and in what stands in brackets are of one kind. */
  private static Map<String, Integer> byKind(List<String> findings) {
    Map<String, Integer> kinds = new TreeMap<>();
    for (String finding : findings) {
      String kind = finding;
      for (String before = ""; !kind.equals(before); ) {
        before = kind;
        kind = IN_BRACKETS.matcher(kind).replaceAll("");
      }
      kinds.merge(cut(NUMBER.matcher(kind).replaceAll("#"), LONGEST_LINE), 1, Integer::sum);
    }
    return kinds;
  }
}
