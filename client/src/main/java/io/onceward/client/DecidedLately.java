package io.onceward.client;

import io.onceward.Decision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one session, by sequence, that only this process may still know: a later request has
 * perhaps taken the watermark past them, and then the log has dropped them. They are here until
 * callers were told, who may hear late because their executor is busy, and longer if nobody was
 * waiting any more.
 */
final class DecidedLately {
  /** Decisions that came after their caller's deadline; the oldest go when there are more … */
  static final int MOST_UNCLAIMED = 1024;

  /** … or their replies are longer in all; the last one is kept, however long. */
  static final long MOST_UNCLAIMED_BYTES = 16L << 20;

  private final Map<Long, Decision> untold = new HashMap<>();
  private final Map<Long, Decision> unclaimed = new LinkedHashMap<>();
  private long unclaimedBytes;

  /** It is decided, and callers are going to be told. */
  synchronized void add(long sequence, Decision decision) {
    untold.put(sequence, decision);
  }

  /**
   * Callers were told.
   *
   * @param heard false if nobody was waiting
   */
  synchronized void told(long sequence, Decision decision, boolean heard) {
    untold.remove(sequence);
    if (!heard) {
      drop(sequence);
      unclaimed.put(sequence, owned(decision));
      unclaimedBytes += bytes(decision);
      while (unclaimed.size() > MOST_UNCLAIMED
          || unclaimed.size() > 1 && unclaimedBytes > MOST_UNCLAIMED_BYTES) {
        drop(unclaimed.keySet().iterator().next());
      }
    }
  }

  private void drop(long sequence) {
    Decision dropped = unclaimed.remove(sequence);
    if (dropped != null) {
      unclaimedBytes -= bytes(dropped);
    }
  }

  private static long bytes(Decision decision) {
    return decision instanceof Decision.Replied replied ? replied.reply().bytes().length() : 0;
  }

  synchronized @Nullable Decision get(long sequence) {
    Decision decision = untold.get(sequence);
    return decision == null ? unclaimed.get(sequence) : owned(decision);
  }

  /** Likewise, for somebody who claims it. */
  synchronized @Nullable Decision take(long sequence) {
    Decision decision = get(sequence);
    drop(sequence);
    return decision;
  }

  private static Decision owned(Decision decision) {
    return decision instanceof Decision.Replied replied
        ? new Decision.Replied(
            Replies.kept(replied.reply()),
            replied.replay(),
            replied.position(),
            replied.timeMillis())
        : decision;
  }
}
