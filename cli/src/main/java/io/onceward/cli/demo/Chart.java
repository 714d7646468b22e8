package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Second;
import java.util.ArrayList;
import java.util.List;

/** Throughput over time as bars, one column a second, and below it the letters of the faults. */
final class Chart {
  private static final int EIGHTHS = 8;
  private static final long LEAST_SCALE = 100;

  private final Look look;
  private final int rows;
  private final int columns;

  Chart(Look look, int rows, int columns) {
    this.look = look;
    this.rows = rows;
    this.columns = columns;
  }

  /** The lines, top first: {@code rows} of bars and one of letters. */
  List<InkedLine> lines(List<Second> history) {
    List<Second> shown = history.subList(Math.max(0, history.size() - columns), history.size());
    long most = LEAST_SCALE;
    for (Second second : history) {
      most = Math.max(most, second.perSecond());
    }
    List<InkedLine> lines = new ArrayList<>();
    for (int row = rows - 1; row >= 0; row--) {
      InkedLine line = new InkedLine();
      line.add(Ink.DIM, axis(row, most));
      for (Second second : shown) {
        bar(line, second, row, most);
      }
      lines.add(line);
    }
    InkedLine letters = new InkedLine().add(Ink.DIM, axisBlank());
    for (Second second : shown) {
      letters.add(Ink.BOLD_RED, String.valueOf(second.fault()));
    }
    lines.add(letters);
    return lines;
  }

  private void bar(InkedLine line, Second second, int row, long most) {
    long filled = second.perSecond() * rows * EIGHTHS / most;
    // A second in which anything was decided does not look like one in which nothing was.
    long shown = second.perSecond() > 0 ? Math.max(1, filled) : 0;
    long here = Math.min(EIGHTHS, Math.max(0, shown - (long) row * EIGHTHS));
    if (shown == 0 && row == 0) {
      line.add(Ink.RED, look.rail());
    } else {
      line.add(ink(second, most), String.valueOf(look.levels().charAt((int) here)));
    }
  }

  private static Ink ink(Second second, long most) {
    return second.perSecond() * 3 < most ? Ink.YELLOW : Ink.GREEN;
  }

  private String axis(int row, long most) {
    String label = row == rows - 1 ? Numbers.grouped(most) + "/s" : row == 0 ? "0/s" : "";
    return " ".repeat(Math.max(0, AXIS - 2 - label.length())) + label + "  ";
  }

  private static String axisBlank() {
    return " ".repeat(AXIS);
  }

  /** How wide the labels at the left are. */
  static final int AXIS = 12;
}
