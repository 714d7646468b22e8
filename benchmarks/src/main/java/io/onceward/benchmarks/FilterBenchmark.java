package io.onceward.benchmarks;

import io.onceward.guard.MemoryStore;
import io.onceward.http.IdempotencyFilter;
import io.onceward.http.Route;
import jakarta.servlet.FilterChain;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the filter adds to a POST of 300 bytes that is answered with 300 bytes: compare with {@link
 * #unfiltered}, the same application without it. Request and response are objects in memory, so
 * that the container's own time, which is greater, does not drown the difference.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms2g", "-Xmx2g"})
public class FilterBenchmark {
  private static final int BODY_BYTES = 300;

  private final byte[] body = "x".repeat(BODY_BYTES).getBytes(StandardCharsets.US_ASCII);
  private MemoryStore store;
  private IdempotencyFilter filter;
  private FilterChain application;
  private long requests;

  @Setup
  public void open() {
    store = MemoryStore.builder().maxEntries(10_000_000).maxBytes(1L << 30).build();
    filter =
        IdempotencyFilter.on(store)
            // What is remembered must not fill the memory while new keys keep coming.
            .guard(guard -> guard.retention(Duration.ofMillis(500)))
            .route("POST /orders/{id}/payments", Route.optional())
            .build();
    application =
        (request, response) -> {
          byte[] read = request.getInputStream().readAllBytes();
          response.setContentType("application/json");
          response.getOutputStream().write(read);
        };
  }

  @TearDown
  public void close() {
    filter.close();
    store.close();
  }

  private StubResponse send(@Nullable String key) throws Exception {
    StubResponse response = new StubResponse();
    filter.doFilter(new StubRequest("POST", key, body), response, application);
    return response;
  }

  @Benchmark
  public StubResponse unfiltered() throws Exception {
    StubResponse response = new StubResponse();
    application.doFilter(new StubRequest("POST", null, body), response);
    return response;
  }

  @Benchmark
  public StubResponse get() throws Exception {
    StubResponse response = new StubResponse();
    filter.doFilter(new StubRequest("GET", null, body), response, application);
    return response;
  }

  @Benchmark
  public StubResponse withoutHeader() throws Exception {
    return send(null);
  }

  @Benchmark
  public StubResponse firstCopy() throws Exception {
    return send("\"order-" + requests++ + "\"");
  }

  /** The record is made again whenever it has run out, twice a second. */
  @Benchmark
  public StubResponse replay() throws Exception {
    return send("\"order\"");
  }
}
