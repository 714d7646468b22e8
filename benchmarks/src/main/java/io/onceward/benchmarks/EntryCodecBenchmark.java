package io.onceward.benchmarks;

import io.onceward.Bytes;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The bytes of entries of 64 requests, and of the requests in them; time is per request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms1g",
      "-Xmx1g",
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:+UseTransparentHugePages"
    })
public class EntryCodecBenchmark {
  private static final int REQUESTS = 64;

  @Param({"session", "key"})
  String kind = "";

  private final List<Request> requests = new ArrayList<>();
  private final List<Bytes> frames = new ArrayList<>();
  private LogEntry entry;
  private byte[] bytes;

  @Setup
  public void make() {
    List<Proposal> proposals = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      Request request =
          kind.equals("session")
              ? ReplicaRun.inSession(1L << 40 | i, 1_000 + i)
              : ReplicaRun.keyed(i, List.of());
      requests.add(request);
      frames.add(Bytes.of(RequestCodec.encode(request)));
      proposals.add(new Proposal("someone", frames.get(i)));
    }
    entry = new LogEntry(0, 1_700_000_000_000L, proposals);
    bytes = entry.encode();
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public byte[] encodeEntry() {
    return entry.encode();
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public LogEntry decodeEntry() {
    return LogEntry.decode(bytes);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void frameRequests(Blackhole hole) {
    for (Request request : requests) {
      hole.consume(RequestCodec.encode(request));
    }
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void readRequests(Blackhole hole) {
    for (Bytes frame : frames) {
      hole.consume(RequestCodec.decode(frame));
    }
  }
}
