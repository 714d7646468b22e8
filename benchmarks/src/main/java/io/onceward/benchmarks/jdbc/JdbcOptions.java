package io.onceward.benchmarks.jdbc;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.UsageException;
import java.util.List;

/**
 * What the command line of {@code bench jdbc} asks for.
 *
 * @param rounds how often each pair is measured, one after the other
 * @param seconds how long each half of a pair
 * @param warmSeconds how long each half is run before that
 */
record JdbcOptions(
    boolean help,
    boolean quick,
    boolean json,
    int rounds,
    double seconds,
    double warmSeconds,
    List<Figure> figures) {

  static JdbcOptions parse(List<String> arguments) {
    boolean help = false;
    boolean quick = arguments.contains("--quick");
    boolean json = false;
    int rounds = quick ? 2 : 7;
    double seconds = quick ? 0.5 : 4;
    List<Figure> figures = JdbcFigures.ALL;
    for (int i = 0; i < arguments.size(); i++) {
      String option = arguments.get(i);
      switch (option) {
        case "--help", "-h" -> help = true;
        case "--quick" -> {}
        case "--json" -> json = true;
        case "--only" -> figures = named(valueOf(option, arguments, ++i));
        case "--rounds" -> rounds = numberOf(option, arguments, ++i);
        case "--seconds" -> seconds = numberOf(option, arguments, ++i);
        default ->
            throw new UsageException(
                "unknown argument '"
                    + option
                    + "'; 'onceward bench jdbc --help' tells what there is");
      }
    }
    return new JdbcOptions(help, quick, json, rounds, seconds, quick ? 0.5 : 6, figures);
  }

  private static String valueOf(String option, List<String> arguments, int at) {
    if (at == arguments.size()) {
      throw new UsageException(option + " needs a value");
    }
    return arguments.get(at);
  }

  private static int numberOf(String option, List<String> arguments, int at) {
    String value = valueOf(option, arguments, at);
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      throw new UsageException(option + " needs a number above 0, not '" + value + "'");
    }
    throw new UsageException(option + " needs a number above 0, not " + value);
  }

  private static List<Figure> named(String part) {
    List<Figure> meant =
        JdbcFigures.ALL.stream()
            .filter(figure -> !part.isBlank() && figure.name().contains(part))
            .toList();
    if (meant.isEmpty()) {
      throw new UsageException(
          "no figure is called '"
              + part
              + "'; there are: "
              + String.join(", ", JdbcFigures.ALL.stream().map(Figure::name).toList()));
    }
    return meant;
  }
}
