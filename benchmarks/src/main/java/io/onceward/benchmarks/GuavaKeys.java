package io.onceward.benchmarks;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.onceward.benchmarks.RetryCacheEntry.CallId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Guava's cache, built and asked the way Apache Ratis does it for its retry cache: statistics on,
 * {@code expireAfterWrite}, an entry with a future made by {@code get}. Its clock is the log's.
 */
final class GuavaKeys implements KeyMemory {
  private final Cache<CallId, RetryCacheEntry> cache;
  private long nowNanos;
  private @Nullable CallId[] ids = new @Nullable CallId[0];
  private long[] fingerprints = new long[0];

  GuavaKeys(long retentionMillis) {
    this.cache =
        CacheBuilder.newBuilder()
            .recordStats()
            .expireAfterWrite(Duration.ofMillis(retentionMillis))
            .ticker(new LogTicker(() -> nowNanos))
            .build();
  }

  @Override
  public void prepare(long[] numbers, int count) {
    if (ids.length < count) {
      ids = new @Nullable CallId[count];
      fingerprints = new long[count];
    }
    for (int i = 0; i < count; i++) {
      ids[i] = new CallId(NumberedIds.uuid(numbers[i]), 1);
      fingerprints[i] = NumberedIds.fingerprint(numbers[i]);
    }
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    for (int i = from; i < to; i++) {
      RetryCacheEntry entry = entry(i);
      if (entry.known() != null) {
        throw new IllegalStateException("request " + i + " is known");
      }
      entry.reply.complete(Remembered.of(fingerprints[i], position, timeMillis));
    }
  }

  @Override
  public long replay(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      Remembered known = entry(i).known();
      if (known == null) {
        throw new IllegalStateException("request " + i + " is not known");
      }
      sum += known.replay(fingerprints[i]);
    }
    return sum;
  }

  private RetryCacheEntry entry(int i) {
    CallId id = Objects.requireNonNull(ids[i]);
    try {
      return cache.get(id, () -> new RetryCacheEntry(id));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void release() {
    Arrays.fill(ids, null);
  }

  @Override
  public long size() {
    cache.cleanUp();
    return cache.size();
  }
}
