package io.onceward.benchmarks;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Something that is measured in a JVM of its own.
 *
 * @param name how the other JVM is told what to do
 * @param contest whether it stands beside others that it is compared with
 */
record Experiment(String name, boolean contest, Body body) {

  /** Measures. */
  @FunctionalInterface
  interface Body {
    /**
     * Runs once.
     *
     * @param scratch a directory in which one experiment may leave files for a later one
     */
    void run(Sizes sizes, Path scratch, Samples samples) throws IOException;
  }
}
