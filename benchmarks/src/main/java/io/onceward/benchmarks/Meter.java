package io.onceward.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Adds up the time and the allocation of those stretches of a round that are to be measured, on the
 * thread that does the work. A garbage collection counts if it falls into such a stretch.
 */
final class Meter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final List<GarbageCollectorMXBean> COLLECTORS =
      ManagementFactory.getGarbageCollectorMXBeans();

  private long nanos;
  private long processorNanos;
  private long bytes;
  private long startNanos;
  private long startProcessorNanos;
  private long startBytes;

  void start() {
    startBytes = THREADS.getCurrentThreadAllocatedBytes();
    startProcessorNanos = THREADS.getCurrentThreadCpuTime();
    startNanos = System.nanoTime();
  }

  void stop() {
    nanos += System.nanoTime() - startNanos;
    processorNanos += THREADS.getCurrentThreadCpuTime() - startProcessorNanos;
    bytes += THREADS.getCurrentThreadAllocatedBytes() - startBytes;
  }

  /** How much of the time this thread had a processor, in percent. */
  double processorShare() {
    return Math.min(100, 100.0 * processorNanos / nanos);
  }

  double nanosPer(int requests) {
    return (double) nanos / requests;
  }

  double bytesPer(int requests) {
    return (double) bytes / requests;
  }

  /** How often this JVM has collected garbage. */
  static long collections() {
    long count = 0;
    for (GarbageCollectorMXBean collector : COLLECTORS) {
      count += collector.getCollectionCount();
    }
    return count;
  }

  /** What the heap holds when everything that can go is gone. */
  static long settledHeapBytes() {
    System.gc();
    // Not what is used now: threads take megabytes of eden as soon as they go on.
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage afterCollection = pool.getCollectionUsage();
      if (pool.getType() == MemoryType.HEAP && afterCollection != null) {
        bytes += afterCollection.getUsed();
      }
    }
    return bytes;
  }
}
