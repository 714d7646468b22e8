package io.onceward.benchmarks;

import io.onceward.replica.KeyTableMemory;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Judge and remember a new key while an old one expires, and judge a retry. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms3g",
      "-Xmx3g",
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:+UseTransparentHugePages"
    })
public class KeyTableBenchmark {
  private static final int REQUESTS = 4_096;

  /** A full table. */
  @State(Scope.Thread)
  public static class Table {
    @Param({"10000", "1000000"})
    int keys;

    /** Requests in one log entry; 1 means that nothing is looked ahead for. */
    @Param({"1", "64"})
    int batch;

    private KeyTableMemory memory;
    private double millisPerRequest;
    private final long[] numbers = new long[REQUESTS];
    private final SplittableRandom random = new SplittableRandom(1);
    private long next;
    private long position;

    @Setup
    public void fill() {
      long retentionMillis = KeyRun.retentionMillis(keys);
      memory = new KeyTableMemory(retentionMillis);
      millisPerRequest = (double) retentionMillis / keys;
      while (next < keys) {
        prepareNew();
        remember(64);
      }
    }

    private void prepareNew() {
      for (int i = 0; i < REQUESTS; i++) {
        numbers[i] = next++;
      }
      memory.prepare(numbers, REQUESTS);
    }

    private void remember(int each) {
      for (int from = 0; from < REQUESTS; from += each) {
        long timeMillis = (long) ((next - REQUESTS + from) * millisPerRequest);
        memory.remember(from, from + each, ++position, timeMillis);
      }
    }
  }

  /** New keys are made ready for each invocation. */
  @State(Scope.Thread)
  public static class NewKeys {
    @Setup(Level.Invocation)
    public void prepare(Table table) {
      table.prepareNew();
    }
  }

  /** Remembered keys are made ready for each invocation. */
  @State(Scope.Thread)
  public static class KnownKeys {
    @Setup(Level.Invocation)
    public void prepare(Table table) {
      for (int i = 0; i < REQUESTS; i++) {
        table.numbers[i] = table.random.nextLong(table.next - table.keys / 2, table.next);
      }
      table.memory.prepare(table.numbers, REQUESTS);
    }
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void request(Table table, NewKeys prepared) {
    table.remember(table.batch);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long replay(Table table, KnownKeys prepared) {
    long sum = 0;
    for (int from = 0; from < REQUESTS; from += table.batch) {
      sum += table.memory.replay(from, from + table.batch);
    }
    return sum;
  }
}
