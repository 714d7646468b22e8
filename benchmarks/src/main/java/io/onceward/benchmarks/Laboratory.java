package io.onceward.benchmarks;

import java.io.IOException;
import java.nio.file.Path;

/** Where experiments are run. */
@FunctionalInterface
interface Laboratory {
  /**
   * Runs one experiment.
   *
   * @throws IOException if it failed
   */
  void run(Experiment experiment, Sizes sizes, Path scratch, Samples samples) throws IOException;
}
