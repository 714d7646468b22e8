package io.onceward.client.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests from the watermark up to the next free sequence, by sequence. Places without a
 * request are finished. It grows when a caller runs ahead and becomes small again when nothing is
 * left in it, so that an idle session costs little.
 */
final class RequestRing {
  private static final int SMALLEST = 8;
  private static final int KEPT_WHEN_EMPTY = 1024;

  private @Nullable SessionRequest[] slots = new SessionRequest[SMALLEST];
  private long watermark = 1;
  private long next = 1;

  /** The lowest sequence that is not finished; {@link #next} if all are. */
  long watermark() {
    return watermark;
  }

  /** The lowest sequence that was never given away. */
  long next() {
    return next;
  }

  boolean isEmpty() {
    return watermark == next;
  }

  /** Begins at a sequence; nothing is there yet. */
  void startAt(long sequence) {
    if (!isEmpty()) {
      throw new IllegalStateException(
          "sequences " + watermark + " to " + (next - 1) + " are not finished");
    }
    watermark = sequence;
    next = sequence;
  }

  @Nullable SessionRequest get(long sequence) {
    return slots[(int) sequence & (slots.length - 1)];
  }

  /** Takes the memory that the next request needs, so that {@link #add} cannot fail for it. */
  void makeRoom() {
    if (!isEmpty() && next - watermark >= slots.length) {
      grow(next - watermark + 1);
    }
  }

  /** Adds a request at its sequence, which is the next one or above; those between are finished. */
  void add(SessionRequest request) {
    long sequence = request.sequence;
    if (sequence < next) {
      throw new IllegalStateException("sequence " + sequence + " was given away before " + next);
    }
    if (isEmpty()) {
      watermark = sequence;
    }
    if (sequence - watermark >= slots.length) {
      grow(sequence - watermark + 1);
    }
    slots[(int) sequence & (slots.length - 1)] = request;
    next = sequence + 1;
  }

  /** Sequences below this one that have no request are finished and not given away again. */
  void skipTo(long sequence) {
    if (sequence > next) {
      if (isEmpty()) {
        watermark = sequence;
      } else if (sequence - watermark > slots.length) {
        grow(sequence - watermark);
      }
      next = sequence;
    }
    pass();
  }

  private void grow(long needed) {
    if (needed > 1 << 30) {
      throw new IllegalStateException(needed + " requests wait in one session");
    }
    int length = slots.length;
    while (length < needed) {
      length <<= 1;
    }
    @Nullable SessionRequest[] grown = new SessionRequest[length];
    for (long sequence = watermark; sequence < next; sequence++) {
      grown[(int) sequence & (length - 1)] = get(sequence);
    }
    slots = grown;
  }

  /** Moves the watermark over everything that is finished. */
  void pass() {
    @Nullable SessionRequest[] all = slots;
    int mask = all.length - 1;
    while (watermark < next) {
      int index = (int) watermark & mask;
      SessionRequest request = all[index];
      if (request != null && request.state != SessionRequest.State.DONE) {
        return;
      }
      all[index] = null;
      watermark++;
    }
    if (all.length > KEPT_WHEN_EMPTY) {
      slots = new SessionRequest[SMALLEST];
    }
  }

  void clear() {
    Arrays.fill(slots, null);
    watermark = next;
  }
}
