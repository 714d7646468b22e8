package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/** The one execution of a request id, as the log told it. */
public record Effect(
    long wish, Reply reply, @Nullable Fingerprint fingerprint, long position, long timeMillis) {

  static Effect of(Judged copy, Decision.Replied replied, @Nullable Fingerprint fingerprint) {
    return new Effect(
        copy.wish(), replied.reply(), fingerprint, replied.position(), replied.timeMillis());
  }

  /** Whether a copy with this fingerprint asks for something else (E7). */
  boolean mismatches(@Nullable Fingerprint other) {
    return other != null && !other.equals(fingerprint);
  }

  boolean isWhat(Decision.Replied replied) {
    return reply.equals(replied.reply())
        && position == replied.position()
        && timeMillis == replied.timeMillis();
  }
}
