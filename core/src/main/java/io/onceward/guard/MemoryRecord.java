package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link MemoryStore} knows of one request. Guarded by its stripe, but for {@link #done},
 * which is read without a lock. It always stands in exactly one {@link Line} of its stripe.
 */
final class MemoryRecord {
  /** About what record, id, key and map node take; texts and replies come on top. */
  private static final int OWN_BYTES = 320;

  static final int BYTES_PER_EVIDENCE = 96;

  enum State {
    STARTED,
    DONE,
    UNKNOWN,
    RELEASED,
    ACKNOWLEDGED,
    ABANDONED
  }

  final GuardedId id;
  final @Nullable Fingerprint fingerprint;

  /** Not null once decided: what every later copy is answered with. */
  volatile Claimed.@Nullable Done done;

  State state = State.STARTED;
  String operation;
  String memo;
  ClaimTerms terms;
  long fence;
  long startedNanos;

  /** The end of the lease while it is started, and of the retention once it is closed. */
  long endsNanos;

  /** Not empty only while the state is unknown. */
  String why = "";

  /** Of the reply that was taken, once it is acknowledged. */
  private long takenDigest;

  /** What this record was charged with. */
  long chargedBytes;

  private @Nullable List<Evidence> evidence;

  @Nullable MemoryRecord before;
  @Nullable MemoryRecord after;

  MemoryRecord(Ask ask, ClaimTerms terms) {
    this.terms = terms;
    id = ask.id();
    fingerprint = ask.fingerprint();
    operation = ask.operation();
    memo = ask.memo();
  }

  /** Whether a claim is judged by the state. What is refused for good is, whatever it asks. */
  boolean matches(Ask ask) {
    return state == State.ABANDONED || state == State.ACKNOWLEDGED || asksTheSame(ask);
  }

  /**
   * E7: a caller without a fingerprint is not checked; one with another is turned away. May be
   * called without the lock.
   */
  boolean asksTheSame(Ask ask) {
    Fingerprint asked = ask.fingerprint();
    return asked == null || fingerprint != null && asked.bits() == fingerprint.bits();
  }

  /** Whether it is started and its lease is over: then it is unknown, whoever looks first. */
  boolean hasLapsed(long now) {
    return state == State.STARTED && now - endsNanos >= 0;
  }

  /** Drops the reply, but for a digest that tells it from others. */
  void take() {
    takenDigest = digest(Objects.requireNonNull(done).reply());
    done = null;
    state = State.ACKNOWLEDGED;
  }

  /** Whether it was decided with this reply, as far as anybody can still tell. */
  boolean wasDecidedWith(Reply reply) {
    Claimed.Done decided = done;
    return decided != null
        ? decided.reply().equals(reply)
        : state == State.ACKNOWLEDGED && takenDigest == digest(reply);
  }

  private static long digest(Reply reply) {
    byte[] kindAndBytes = new byte[1 + reply.bytes().length()];
    kindAndBytes[0] = (byte) reply.kind().ordinal();
    System.arraycopy(reply.bytes().toArray(), 0, kindAndBytes, 1, kindAndBytes.length - 1);
    return Fingerprint.ofPayload(Bytes.of(kindAndBytes)).bits();
  }

  List<Evidence> evidence() {
    return evidence == null ? List.of() : List.copyOf(evidence);
  }

  /** Whether it is new and there is room: each keeps a reply. */
  boolean keep(Evidence late) {
    if (evidence == null) {
      evidence = new ArrayList<>(1);
    }
    for (Evidence each : evidence) {
      if (each.fence() == late.fence() && each.reply().equals(late.reply())) {
        return false;
      }
    }
    return evidence.size() < ClaimStore.EVIDENCE_AT_LEAST && evidence.add(late);
  }

  /** What it costs beside its reply. */
  long ownBytes() {
    long bytes =
        OWN_BYTES
            + id.principal().length()
            + id.scope().name().length()
            + operation.length()
            + memo.length()
            + (long) why.length();
    if (evidence != null) {
      for (Evidence late : evidence) {
        bytes += BYTES_PER_EVIDENCE + late.reply().bytes().length();
      }
    }
    return bytes;
  }

  boolean isClosed() {
    return state != State.STARTED && state != State.UNKNOWN;
  }

  /** A copy that is the store's own: not a view of a larger array, and nobody else writes to it. */
  static Reply own(Reply reply) {
    return reply.bytes().length() == 0
        ? reply
        : new Reply(reply.kind(), Bytes.of(reply.bytes().toArray()));
  }

  /** Records in an order, from which any one is taken out at once. */
  static final class Line {
    private @Nullable MemoryRecord first;
    private @Nullable MemoryRecord last;

    @Nullable MemoryRecord first() {
      return first;
    }

    void append(MemoryRecord record) {
      MemoryRecord tail = last;
      record.before = tail;
      record.after = null;
      if (tail == null) {
        first = record;
      } else {
        tail.after = record;
      }
      last = record;
    }

    void remove(MemoryRecord record) {
      MemoryRecord before = record.before;
      MemoryRecord after = record.after;
      if (before == null) {
        first = after;
      } else {
        before.after = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.before = before;
      }
      record.before = null;
      record.after = null;
    }
  }
}
