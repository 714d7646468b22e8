package io.onceward.benchmarks.cluster;

import java.lang.management.ManagementFactory;

/**
 * Tells all threads of a load whether what they do now counts, and measures for how long it did.
 */
final class Stopwatch {
  private static final com.sun.management.OperatingSystemMXBean SYSTEM =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private volatile boolean measures;
  private volatile boolean over;
  private long beginNanos;
  private long nanos;
  private long beginProcessorNanos;
  private long processorNanos;

  void begin() {
    beginProcessorNanos = SYSTEM.getProcessCpuTime();
    beginNanos = System.nanoTime();
    measures = true;
  }

  void end() {
    measures = false;
    over = true;
    nanos = System.nanoTime() - beginNanos;
    processorNanos = SYSTEM.getProcessCpuTime() - beginProcessorNanos;
  }

  boolean measures() {
    return measures;
  }

  /** Whether to send nothing more. */
  boolean isOver() {
    return over;
  }

  long nanos() {
    return nanos;
  }

  long processorNanos() {
    return processorNanos;
  }
}
