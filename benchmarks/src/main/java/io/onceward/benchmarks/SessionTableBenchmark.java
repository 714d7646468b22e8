package io.onceward.benchmarks;

import io.onceward.replica.SessionTableMemory;
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

/** Judge and remember a request of a random session. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms2g",
      "-Xmx2g",
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:+UseTransparentHugePages"
    })
public class SessionTableBenchmark {
  private static final int REQUESTS = 4_096;

  @Param({"10000", "1000000"})
  int sessions;

  /** Requests in one log entry; 1 means that nothing is looked ahead for. */
  @Param({"1", "64"})
  int batch;

  private SessionTableMemory memory;
  private int[] sequenceOf;
  private final int[] clients = new int[REQUESTS];
  private final int[] sequences = new int[REQUESTS];
  private final SplittableRandom random = new SplittableRandom(1);
  private long position;

  @Setup
  public void open() {
    memory = new SessionTableMemory();
    sequenceOf = new int[sessions];
    for (int client = 0; client < sessions; client++) {
      memory.open(client, 0);
    }
  }

  @Setup(Level.Invocation)
  public void prepare() {
    for (int i = 0; i < REQUESTS; i++) {
      clients[i] = random.nextInt(sessions);
      sequences[i] = ++sequenceOf[clients[i]];
    }
    memory.prepare(clients, sequences, REQUESTS);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void request() {
    for (int from = 0; from < REQUESTS; from += batch) {
      memory.remember(from, from + batch, ++position, 0);
    }
  }
}
