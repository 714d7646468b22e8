package io.onceward.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** All samples of a run, by name and by the pass in which they were taken. */
public final class Results {
  private final TreeMap<String, TreeMap<Integer, List<Double>>> samples = new TreeMap<>();

  public void add(int pass, String name, double value) {
    samples
        .computeIfAbsent(name, key -> new TreeMap<>())
        .computeIfAbsent(pass, key -> new ArrayList<>())
        .add(value);
  }

  /** Every sample of this name; empty if it was not measured. */
  public List<Double> all(String name) {
    List<Double> all = new ArrayList<>();
    for (List<Double> ofPass : samples.getOrDefault(name, new TreeMap<>()).values()) {
      all.addAll(ofPass);
    }
    return all;
  }

  /** For each pass the median of one divided by the median of the other. */
  public List<Double> ratios(String dividend, String divisor) {
    TreeMap<Integer, List<Double>> divisors = samples.getOrDefault(divisor, new TreeMap<>());
    List<Double> ratios = new ArrayList<>();
    samples
        .getOrDefault(dividend, new TreeMap<>())
        .forEach(
            (pass, values) -> {
              List<Double> others = divisors.get(pass);
              if (others != null) {
                ratios.add(median(values) / median(others));
              }
            });
    return ratios;
  }

  public static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
