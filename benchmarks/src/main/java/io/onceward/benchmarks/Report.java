package io.onceward.benchmarks;

import io.onceward.benchmarks.Figure.Measured;
import io.onceward.benchmarks.Figure.Target;
import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Prints figures for people, or one JSON object per line for programs. */
public final class Report {
  private static final String LINE = "%-28s %10s  %-21s %-6s %-7s %-11s %s";

  private final PrintStream out;
  private final boolean json;

  /** Whether targets apply: they speak of the standard sizes only. */
  private final boolean judged;

  public Report(PrintStream out, boolean json, boolean judged) {
    this.out = out;
    this.json = json;
    this.judged = judged;
  }

  /** What stands above the figures: how they were measured. */
  public interface Heading {
    /** The command that measured. */
    String program();

    /** For people. */
    List<String> lines();

    /** The same for programs. */
    void describe(Json line);
  }

  public void begin(Surroundings at, Heading heading) {
    if (json) {
      Json line = new Json();
      line.text("program", heading.program());
      line.text("jdk", at.jdk());
      line.number("cores", at.cores());
      line.text("memory", at.memory());
      line.text("system", at.system());
      line.text("commit", at.commit());
      heading.describe(line);
      out.println(line);
      return;
    }
    out.println("JDK " + at.jdk());
    out.println(
        at.cores() + " cores, " + at.memory() + ", " + at.system() + "; commit " + at.commit());
    heading.lines().forEach(out::println);
    out.println();
    String head =
        String.format(
            LINE, "figure", "median", "(least .. most)", "unit", "target", "", "in the same run");
    out.println(head);
  }

  public void print(Figure figure, Measured measured) {
    if (json) {
      out.println(toJson(figure, measured));
      return;
    }
    List<Double> samples = measured.samples();
    StringJoiner beside = new StringJoiner(", ");
    for (Map.Entry<String, List<Double>> other : measured.compared().entrySet()) {
      beside.add(other.getKey() + " " + number(Results.median(other.getValue())));
    }
    if (!measured.note().isEmpty()) {
      beside.add(measured.note());
    }
    String line =
        String.format(
            LINE,
            figure.name(),
            number(Results.median(samples)),
            "("
                + number(Collections.min(samples))
                + " .. "
                + number(Collections.max(samples))
                + ")",
            figure.unit(),
            target(figure),
            verdict(figure, measured),
            beside);
    out.println(line.stripTrailing());
  }

  private static String target(Figure figure) {
    Target target = figure.target();
    return target == null ? "-" : (target.atMost() ? "<= " : ">= ") + number(target.bound());
  }

  private String verdict(Figure figure, Measured measured) {
    Target target = figure.target();
    if (target == null) {
      return "";
    }
    if (!judged) {
      return "not judged";
    }
    return target.isReachedBy(Results.median(measured.samples())) ? "reached" : "MISSED";
  }

  private Json toJson(Figure figure, Measured measured) {
    Json line = new Json();
    line.text("figure", figure.name());
    line.text("what", figure.what());
    line.text("unit", figure.unit());
    spread(line, measured.samples());
    Target target = figure.target();
    if (target != null) {
      line.number(target.atMost() ? "atMost" : "atLeast", target.bound());
      line.text("verdict", verdict(figure, measured).toLowerCase(Locale.ROOT));
    }
    Json compared = new Json();
    for (Map.Entry<String, List<Double>> other : measured.compared().entrySet()) {
      Json one = new Json();
      spread(one, other.getValue());
      compared.object(other.getKey(), one);
    }
    line.object("compared", compared);
    line.text("note", measured.note());
    return line;
  }

  private static void spread(Json line, List<Double> samples) {
    line.number("median", Results.median(samples));
    line.number("least", Collections.min(samples));
    line.number("most", Collections.max(samples));
    line.numbers("samples", samples);
  }

  /** Three or so digits that count; more would only pretend. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (value == Math.rint(value)) {
      return Long.toString((long) value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
  }
}
