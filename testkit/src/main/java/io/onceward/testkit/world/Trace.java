package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.Reply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened, folded into one number: the same seed gives the same number, always. With someone
 * to tell, it also tells each event as a line.
 */
public final class Trace {
  private final VirtualTime time;
  private final @Nullable Consumer<String> listener;
  private long hash;
  private long events;

  public Trace(VirtualTime time, @Nullable Consumer<String> listener) {
    this.time = time;
    this.listener = listener;
  }

  /**
   * Notes one event.
   *
   * @param detail shown in the line only, by its toString
   */
  void note(String what, long first, long second, @Nullable Object detail) {
    events++;
    fold(what.hashCode());
    fold(time.nowMillis());
    fold(first);
    fold(second);
    if (listener != null) {
      String line = time.nowMillis() + " ms " + what + " " + first + " " + second;
      listener.accept(detail == null ? line : line + " " + detail);
    }
  }

  private void fold(long value) {
    hash = Dice.mix(hash ^ Dice.mix(value)) + 1;
  }

  public long hash() {
    return hash;
  }

  public long events() {
    return events;
  }

  /** A number for a decision; enums have no hash that is the same in two JVMs. */
  static long hashOf(Decision decision) {
    if (decision instanceof Decision.Replied told) {
      return hashOf(told.reply()) * 31 + told.position() + (told.replay() ? 7 : 0);
    }
    if (decision instanceof Decision.Opened told) {
      return told.session() * 31 + told.incarnation() + told.watermark() * 7 + told.nextSequence();
    }
    if (decision instanceof Decision.Refused told) {
      return 1_000 + told.refusal().code() + 31L * told.limit().hashCode();
    }
    if (decision instanceof Decision.Abandoned told) {
      return told.forEver() ? 2_001 : 2_000;
    }
    if (decision instanceof Decision.Forgot told) {
      return 3_000 + told.records();
    }
    return decision instanceof Decision.Rejected told ? told.reason().hashCode() : 4_000;
  }

  private static long hashOf(Reply reply) {
    return reply.kind().code() * 31L + reply.bytes().hashCode();
  }
}
