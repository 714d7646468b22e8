package io.onceward.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Caffeine with {@code expireAfterWrite}. Its clock is the log's, and it tidies up on the thread
 * that applies: a replica's memory may not depend on when another thread gets round to it.
 */
final class CaffeineKeys implements KeyMemory {
  private final Cache<UUID, Remembered> cache;
  private long nowNanos;
  private @Nullable UUID[] ids = new @Nullable UUID[0];
  private long[] fingerprints = new long[0];

  CaffeineKeys(long retentionMillis) {
    this.cache =
        Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofMillis(retentionMillis))
            .ticker(() -> nowNanos)
            .executor(Runnable::run)
            .build();
  }

  @Override
  public void prepare(long[] numbers, int count) {
    if (ids.length < count) {
      ids = new @Nullable UUID[count];
      fingerprints = new long[count];
    }
    for (int i = 0; i < count; i++) {
      ids[i] = NumberedIds.uuid(numbers[i]);
      fingerprints[i] = NumberedIds.fingerprint(numbers[i]);
    }
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    for (int i = from; i < to; i++) {
      UUID id = Objects.requireNonNull(ids[i]);
      if (cache.getIfPresent(id) != null) {
        throw new IllegalStateException("request " + i + " is known");
      }
      cache.put(id, Remembered.of(fingerprints[i], position, timeMillis));
    }
  }

  @Override
  public long replay(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      Remembered known = cache.getIfPresent(Objects.requireNonNull(ids[i]));
      if (known == null) {
        throw new IllegalStateException("request " + i + " is not known");
      }
      sum += known.replay(fingerprints[i]);
    }
    return sum;
  }

  @Override
  public void release() {
    Arrays.fill(ids, null);
  }

  @Override
  public long size() {
    cache.cleanUp();
    return cache.estimatedSize();
  }
}
