/**
 * Measures a whole cluster: three server processes and client processes beside them, on loopback,
 * with everything synced to disk. {@link io.onceward.benchmarks.cluster.ClusterFigures} says what
 * each figure is, {@link io.onceward.benchmarks.cluster.ClusterExperiments} how it comes about, and
 * {@link io.onceward.benchmarks.cluster.LoadProgram} is what runs in a client process.
 */
@NullMarked
package io.onceward.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
