package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Samples;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Something that is measured and gives samples.
 *
 * @param name by which figures ask for it
 */
record ClusterExperiment(String name, Body body) {

  /** How it is done. */
  sealed interface Body {}

  /** On a warm cluster, in every pass. */
  @FunctionalInterface
  non-sealed interface OnSite extends Body {
    void run(Site site, Samples samples) throws IOException;
  }

  /** On processes of its own, in the first pass only. */
  @FunctionalInterface
  non-sealed interface OnItsOwn extends Body {
    void run(Plan plan, Path folder, Samples samples) throws IOException;
  }
}
