package io.onceward.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** A conclusion as people read it: what was done, what was proven, and the last word. */
final class ConclusionText {
  private static final int MARK = 5;

  private final Look look;
  private final int columns;

  /**
   * For a page of this width.
   *
   * @param columns {@code Integer.MAX_VALUE} if lines need not be broken
   */
  ConclusionText(Look look, int columns) {
    this.look = look;
    this.columns = columns;
  }

  List<InkedLine> lines(Conclusion end) {
    List<InkedLine> lines = new ArrayList<>();
    lines.add(new InkedLine());
    add(lines, new InkedLine().add(" "), Ink.PLAIN, summary(end), 1);
    lines.add(new InkedLine());
    int widest = end.findings().stream().mapToInt(f -> f.what().length()).max().orElse(0);
    for (Finding finding : end.findings()) {
      InkedLine line =
          new InkedLine()
              .add(" ")
              .add(mark(finding.holds()), finding.holds() ? look.yes() : look.no())
              .to(MARK)
              .add(Ink.BOLD, finding.what())
              .to(MARK + widest + 2);
      add(lines, line, Ink.PLAIN, finding.numbers(), MARK + widest + 2);
      for (String objection : finding.objections()) {
        add(lines, new InkedLine().to(MARK + 1), Ink.RED, objection, MARK + 3);
      }
    }
    lines.add(new InkedLine());
    lines.add(lastWord(end));
    if (!end.kept().isEmpty()) {
      lines.add(new InkedLine().add(" data and records are kept in ").add(end.kept()));
    }
    lines.add(new InkedLine().add(Ink.DIM, " the same faults again: " + end.replay()));
    return lines;
  }

  /** Adds words to a begun line, and breaks it where the page ends. */
  private void add(List<InkedLine> lines, InkedLine begun, Ink ink, String text, int indent) {
    InkedLine line = begun;
    boolean first = true;
    for (String word : text.split(" ", -1)) {
      if (!first && line.width() + 1 + word.length() >= columns) {
        lines.add(line);
        line = new InkedLine().add(" ".repeat(indent));
        first = true;
      }
      line.add(ink, (first ? "" : " ") + word);
      first = false;
    }
    lines.add(line);
  }

  private static String summary(Conclusion end) {
    Figures.Troubles troubles = end.troubles();
    return String.join(
        ", ",
        Numbers.grouped(end.decided())
            + " requests decided in "
            + Numbers.clock(end.elapsedMillis()),
        "p50 " + Numbers.latency(end.overall().p50Micros()),
        "p99 " + Numbers.latency(end.overall().p99Micros()),
        Numbers.grouped(end.work().retries()) + " retries",
        Numbers.count(troubles.kills(), "node", "nodes") + " killed",
        Numbers.count(troubles.clientKills(), "client", "clients") + " killed",
        Numbers.count(troubles.pauses(), "pause", "pauses"),
        Numbers.count(troubles.cuts(), "cut", "cuts"),
        Numbers.count(troubles.leaderChanges(), "leader change", "leader changes"));
  }

  private static InkedLine lastWord(Conclusion end) {
    if (end.holds()) {
      return new InkedLine()
          .add(" ")
          .add(Ink.BOLD_GREEN, "The books are right: everything happened once.");
    }
    return new InkedLine().add(" ").add(Ink.BOLD_RED, "The books are wrong.");
  }

  private static Ink mark(boolean holds) {
    return holds ? Ink.BOLD_GREEN : Ink.BOLD_RED;
  }
}
