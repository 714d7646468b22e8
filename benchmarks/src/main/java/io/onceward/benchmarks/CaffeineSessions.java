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
 * Caffeine from client to last reply. Writing a new one is what keeps a client from expiring. See
 * {@link CaffeineKeys} for clock and executor.
 */
final class CaffeineSessions implements SessionMemory {
  private record Client(long sequence, @Nullable Remembered last) {}

  private final Cache<UUID, Client> cache;
  private long nowNanos;
  private @Nullable UUID[] ids = new @Nullable UUID[0];
  private int[] sequences = new int[0];

  CaffeineSessions() {
    this.cache =
        Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofMillis(EXPIRY_MILLIS))
            .ticker(() -> nowNanos)
            .executor(Runnable::run)
            .build();
  }

  @Override
  public void open(int client, long timeMillis) {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    cache.put(NumberedIds.uuid(client), new Client(0, null));
  }

  @Override
  public void prepare(int[] clients, int[] sequences, int count) {
    if (ids.length < count) {
      ids = new @Nullable UUID[count];
    }
    for (int i = 0; i < count; i++) {
      ids[i] = NumberedIds.uuid(clients[i]);
    }
    this.sequences = sequences;
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    nowNanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    for (int i = from; i < to; i++) {
      UUID id = Objects.requireNonNull(ids[i]);
      int sequence = sequences[i];
      Client client = cache.getIfPresent(id);
      if (client == null || client.sequence() + 1 != sequence) {
        throw new IllegalStateException("request " + i + " is not the next of its client");
      }
      Remembered last = Remembered.of(NumberedIds.fingerprint(sequence), position, timeMillis);
      cache.put(id, new Client(sequence, last));
    }
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
