package io.onceward.benchmarks;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.onceward.benchmarks.RetryCacheEntry.CallId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Guava's cache as Apache Ratis uses it: it knows calls, not clients. A request brings the id of
 * the call before, whose reply was taken, and that entry is invalidated.
 */
final class GuavaSessions implements SessionMemory {
  private final Cache<CallId, RetryCacheEntry> cache;
  private long nowNanos;
  private @Nullable CallId[] calls = new @Nullable CallId[0];
  private @Nullable CallId[] replied = new @Nullable CallId[0];

  GuavaSessions() {
    this.cache =
        CacheBuilder.newBuilder()
            .recordStats()
            .expireAfterWrite(Duration.ofMillis(EXPIRY_MILLIS))
            .ticker(new LogTicker(() -> nowNanos))
            .build();
  }

  @Override
  public void open(int client, long timeMillis) {}

  @Override
  public void prepare(int[] clients, int[] sequences, int count) {
    if (calls.length < count) {
      calls = new @Nullable CallId[count];
      replied = new @Nullable CallId[count];
    }
    for (int i = 0; i < count; i++) {
      UUID client = NumberedIds.uuid(clients[i]);
      calls[i] = new CallId(client, sequences[i]);
      replied[i] = new CallId(client, sequences[i] - 1);
    }
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    for (int i = from; i < to; i++) {
      CallId id = Objects.requireNonNull(calls[i]);
      cache.invalidate(Objects.requireNonNull(replied[i]));
      RetryCacheEntry entry = entry(id);
      if (entry.known() != null) {
        throw new IllegalStateException("request " + i + " is known");
      }
      long fingerprint = NumberedIds.fingerprint(id.call());
      entry.reply.complete(Remembered.of(fingerprint, position, timeMillis));
    }
  }

  private RetryCacheEntry entry(CallId id) {
    try {
      return cache.get(id, () -> new RetryCacheEntry(id));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void release() {
    Arrays.fill(calls, null);
    Arrays.fill(replied, null);
  }

  @Override
  public long size() {
    cache.cleanUp();
    return cache.size();
  }
}
