package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.UsageException;
import java.util.List;
import java.util.function.Predicate;

/** What the command line of {@code bench cluster} asks for. */
record ClusterOptions(
    boolean help, boolean quick, boolean json, boolean profile, Plan plan, List<Figure> figures) {

  static ClusterOptions parse(List<String> arguments) {
    boolean help = false;
    boolean quick = arguments.contains("--quick");
    boolean json = false;
    boolean profile = false;
    Plan plan = quick ? Plan.QUICK : Plan.STANDARD;
    List<Figure> figures = ClusterFigures.ALL;
    for (int i = 0; i < arguments.size(); i++) {
      String option = arguments.get(i);
      switch (option) {
        case "--help", "-h" -> help = true;
        case "--quick" -> {}
        case "--json" -> json = true;
        case "--profile" -> profile = true;
        case "--only" -> figures = named(valueOf(option, arguments, ++i));
        case "--runs" -> plan = plan.withRuns(numberOf(option, arguments, ++i));
        case "--passes" -> plan = plan.withPasses(numberOf(option, arguments, ++i));
        case "--seconds" -> plan = plan.withSeconds(numberOf(option, arguments, ++i));
        case "--clients" -> plan = plan.withClients(numberOf(option, arguments, ++i));
        default ->
            throw new UsageException(
                "unknown argument '"
                    + option
                    + "'; 'onceward bench cluster --help' tells what there is");
      }
    }
    return new ClusterOptions(help, quick, json, profile, plan, figures);
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

  /** The figure that is called so, or all of the experiment, or all whose names contain it. */
  private static List<Figure> named(String part) {
    List<Predicate<Figure>> senses =
        List.of(
            figure -> figure.experiments().contains(part),
            figure -> figure.name().equals(part),
            figure -> !part.isBlank() && figure.name().contains(part));
    for (Predicate<Figure> sense : senses) {
      List<Figure> meant = ClusterFigures.ALL.stream().filter(sense).toList();
      if (!meant.isEmpty()) {
        return meant;
      }
    }
    throw new UsageException(
        "no figure is called '"
            + part
            + "'; there are: "
            + String.join(", ", ClusterFigures.ALL.stream().map(Figure::name).toList()));
  }
}
