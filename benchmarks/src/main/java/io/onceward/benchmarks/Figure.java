package io.onceward.benchmarks;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One line of the report.
 *
 * @param name what {@code --only} selects it by
 * @param what what it is, in a sentence
 * @param target what is to be reached, or null if nothing was promised
 * @param experiments the names of all experiments it is computed from
 * @param measured computes it
 */
public record Figure(
    String name,
    String what,
    String unit,
    @Nullable Target target,
    List<String> experiments,
    Function<Results, Measured> measured) {

  /** A bound, from above or from below. */
  public record Target(boolean atMost, double bound) {
    public boolean isReachedBy(double value) {
      return atMost ? value <= bound : value >= bound;
    }
  }

  /**
   * What came out.
   *
   * @param samples all of them; the figure is their median
   * @param compared the samples of the others in the same run, by their names
   * @param note what else there is to know, or empty
   */
  public record Measured(
      List<Double> samples, SortedMap<String, List<Double>> compared, String note) {}
}
