package io.onceward.benchmarks;

/** Takes what an experiment measures, one number at a time. */
@FunctionalInterface
public interface Samples {
  void add(String name, double value);

  /** The name of a sample that several contestants give. */
  static String of(String metric, Contestant contestant) {
    return metric + "@" + contestant.label();
  }
}
