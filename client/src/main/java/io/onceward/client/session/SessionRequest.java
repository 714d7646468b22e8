package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a session asks for, until it is decided. All copies of it that are ever sent
 * belong to this object; each copy has a number of its own, so that a late "not here" about an
 * early copy does not disturb a later one.
 */
public final class SessionRequest extends Asking {
  /** What is asked for. */
  enum Kind {
    READ,
    OPEN,
    COMMAND,
    KEEP_ALIVE,
    CLOSE
  }

  /** Where it is in its life. */
  enum State {
    /** Not sent yet; its turn, its window or its journal record is still to come. */
    WAITING,
    /** A copy is under way, since {@link #atMillis}. */
    ASKED,
    /** The last copy was turned away; the next one is due at {@link #atMillis}. */
    RESTING,
    /** Decided; the watermark waits until the journal has the decision. */
    DECIDED,
    /** Decided, and the watermark may pass. */
    DONE
  }

  final Kind kind;
  final long sequence;
  final String tag;
  final Bytes payload;
  final @Nullable Fingerprint fingerprint;
  private @Nullable Object attachment;

  State state = State.WAITING;
  long atMillis;
  int copies;
  long deadlineMillis = Long.MAX_VALUE;

  /** The journal record that must be durable before the next step: sending, or being done. */
  long mark;

  /** The watermark that the first copy carried. */
  long carriedWatermark;

  /** Whether the sequence is to be closed rather than executed. */
  boolean abandoning;

  /** Why this sequence is being abandoned although its caller did not ask for that (S6). */
  Decision.@Nullable Refused refusedForGood;

  SessionRequest(Kind kind) {
    this(kind, 0, "", Bytes.EMPTY, null, null);
  }

  SessionRequest(
      Kind kind,
      long sequence,
      String tag,
      Bytes payload,
      @Nullable Fingerprint fingerprint,
      @Nullable Object attachment) {
    this.kind = kind;
    this.sequence = sequence;
    this.tag = tag;
    this.payload = payload;
    this.fingerprint = fingerprint;
    this.attachment = attachment;
  }

  /** The number of the request in its session; 0 for what has none, such as a keep-alive. */
  public long sequence() {
    return sequence;
  }

  /** What the caller called it; empty without a journal. */
  public String tag() {
    return tag;
  }

  public Bytes payload() {
    return payload;
  }

  /** Whoever waits for it; the session does not look into this. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(Object waiter) {
    attachment = waiter;
  }

  /** Whether an answer is known to come late: this is no sign of a dead connection. */
  public boolean isPatient() {
    return kind == Kind.KEEP_ALIVE;
  }

  @Override
  public boolean isDecided() {
    return state == State.DECIDED || state == State.DONE;
  }

  /** Whether a copy was sent and it is not decided. */
  boolean isOut() {
    return state == State.ASKED || state == State.RESTING;
  }

  /**
   * When to look after it again.
   *
   * @param entryMillis how long it may take until the next log entry, with which a keep-alive is
   *     answered
   */
  long dueMillis(Pace pace, long entryMillis) {
    return switch (state) {
      case ASKED -> atMillis + pace.answerTimeoutMillis() + (isPatient() ? entryMillis : 0);
      case RESTING -> atMillis;
      case WAITING, DECIDED, DONE -> Long.MAX_VALUE;
    };
  }

  @Override
  public String toString() {
    return kind + (sequence == 0 ? "" : " " + sequence) + " " + state + ", copies " + copies;
  }
}
