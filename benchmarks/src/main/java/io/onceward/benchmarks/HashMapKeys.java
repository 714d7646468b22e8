package io.onceward.benchmarks;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code HashMap<UUID, …>} with expiry. Since one retention holds for all, the order of insertion
 * is the order of expiry, and a {@link LinkedHashMap} is all it takes.
 */
final class HashMapKeys implements KeyMemory {
  private final LinkedHashMap<UUID, Remembered> map = new LinkedHashMap<>();
  private final long retentionMillis;
  private @Nullable UUID[] ids = new @Nullable UUID[0];
  private long[] fingerprints = new long[0];

  HashMapKeys(long retentionMillis) {
    this.retentionMillis = retentionMillis;
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
    expire(timeMillis);
    for (int i = from; i < to; i++) {
      if (map.get(ids[i]) != null) {
        throw new IllegalStateException("request " + i + " is known");
      }
      map.put(ids[i], Remembered.of(fingerprints[i], position, timeMillis));
    }
  }

  private void expire(long timeMillis) {
    Iterator<Remembered> oldest = map.values().iterator();
    while (oldest.hasNext() && oldest.next().timeMillis() + retentionMillis < timeMillis) {
      oldest.remove();
    }
  }

  @Override
  public long replay(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      Remembered known = map.get(ids[i]);
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
    return map.size();
  }
}
