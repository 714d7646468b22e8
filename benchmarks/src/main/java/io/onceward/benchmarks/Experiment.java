package io.onceward.benchmarks;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Something that is measured in a JVM of its own.
 *
 * @param name how the other JVM is told what to do
 */
record Experiment(String name, Role role, Body body) {

  /** How it stands to the others. */
  enum Role {
    /** It is compared with others, so their order changes from pass to pass. */
    CONTEST,
    /** It is run in every pass. */
    REPEATED,
    /** Once is enough: it comes out the same, or repeats within itself what does not. */
    ONCE
  }

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
