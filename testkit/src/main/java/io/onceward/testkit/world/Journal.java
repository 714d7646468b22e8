package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a session client must know to go on (C5). A process with a journal leaves it to the next
 * one; without, it dies with the process.
 */
final class Journal {
  /** A request that is not decided yet. */
  static final class Pending {
    final Wish wish;
    final Bytes payload;
    final @Nullable Fingerprint fingerprint;
    boolean abandoning;
    long sentMillis = Long.MIN_VALUE / 2;

    Pending(Wish wish, Bytes payload, @Nullable Fingerprint fingerprint) {
      this.wish = wish;
      this.payload = payload;
      this.fingerprint = fingerprint;
    }
  }

  /** The opening under way, kept before it is sent so that a crash does not make it another. */
  Request.@Nullable Open opening;

  Request.@Nullable Address address;
  final TreeMap<Long, Pending> pending = new TreeMap<>();

  /** Decided, but the application has not taken the reply yet. */
  final TreeSet<Long> decided = new TreeSet<>();

  long watermark = 1;
  long nextSequence = 1;
  int window = 1;

  /** Everything about the session is over; what was pending is unknown from now on (S8). */
  void reset() {
    opening = null;
    address = null;
    pending.clear();
    decided.clear();
    watermark = 1;
    nextSequence = 1;
  }

  void decide(long sequence) {
    if (pending.remove(sequence) != null) {
      decided.add(sequence);
    }
  }

  /** The application takes the reply at the watermark, if there is one. */
  boolean take() {
    if (!decided.remove(watermark)) {
      return false;
    }
    watermark++;
    return true;
  }
}
