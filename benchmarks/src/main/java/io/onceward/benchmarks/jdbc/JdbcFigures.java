package io.onceward.benchmarks.jdbc;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.Figure.Measured;
import io.onceward.benchmarks.Figure.Target;
import java.util.List;
import java.util.TreeMap;

/** What {@code bench jdbc} prints, in order. */
final class JdbcFigures {
  static final String DUPLICATES = "duplicates";
  static final String DUPLICATES_EXECUTED = "duplicates-executed";

  static final List<Figure> ALL =
      List.of(
          transfers(8),
          transfers(32),
          compared(
              DUPLICATES,
              "unrelated transfers beside 64 duplicates of one on a pool of 4, against none",
              80),
          new Figure(
              DUPLICATES_EXECUTED,
              "how often each of those was executed",
              "times",
              new Target(true, 1),
              List.of(DUPLICATES),
              results -> new Measured(results.all(DUPLICATES_EXECUTED), new TreeMap<>(), "")));

  private JdbcFigures() {}

  static String transfersOn(int connections) {
    return "transfers-" + connections;
  }

  static String with(String figure) {
    return figure + " with";
  }

  static String without(String figure) {
    return figure + " without";
  }

  private static Figure transfers(int connections) {
    return compared(
        transfersOn(connections),
        "guarded transfers against the same without, on " + connections + " connections",
        75);
  }

  private static Figure compared(String name, String what, double atLeast) {
    return new Figure(
        name,
        what,
        "%",
        new Target(false, atLeast),
        List.of(name),
        results -> {
          TreeMap<String, List<Double>> both = new TreeMap<>();
          both.put("with", results.all(with(name)));
          both.put("without", results.all(without(name)));
          return new Measured(
              results.ratios(with(name), without(name)).stream().map(ratio -> 100 * ratio).toList(),
              both,
              "transfers/s");
        });
  }
}
