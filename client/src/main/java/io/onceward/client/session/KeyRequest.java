package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.RequestId;
import io.onceward.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is asked for under a key, until it is decided; all its copies belong to this
 * object. Also the wish to abandon a key, and an acknowledgement that goes alone.
 */
public final class KeyRequest extends Asking {
  /** What is asked for. */
  enum Kind {
    COMMAND,
    ABANDON,
    ACKNOWLEDGE
  }

  /** Where it is in its life. */
  enum State {
    WAITING,
    ASKED,
    RESTING,
    DONE
  }

  final Kind kind;
  final RequestId.OfKey id;
  final Bytes payload;
  final @Nullable Fingerprint fingerprint;
  private final @Nullable Object attachment;

  State state = State.WAITING;
  long atMillis;
  int copies;
  int refusedAsFuture;
  long deadlineMillis = Long.MAX_VALUE;

  /** What the latest copy acknowledges; it is not known yet whether that arrived. */
  List<Key> carried = List.of();

  // Neighbours among all that is not decided, in the order in which it was asked.
  @Nullable KeyRequest previous;
  @Nullable KeyRequest following;

  KeyRequest(
      Kind kind,
      RequestId.OfKey id,
      Bytes payload,
      @Nullable Fingerprint fingerprint,
      @Nullable Object attachment) {
    this.kind = kind;
    this.id = id;
    this.payload = payload;
    this.fingerprint = fingerprint;
    this.attachment = attachment;
  }

  /** Scope and key; of an acknowledgement the scope alone means something. */
  public RequestId.OfKey id() {
    return id;
  }

  /** Whoever waits for it. */
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public boolean isDecided() {
    return state == State.DONE;
  }

  Scope scope() {
    return id.scope();
  }

  Key key() {
    return id.key();
  }

  long dueMillis(Pace pace) {
    return switch (state) {
      case ASKED -> atMillis + pace.answerTimeoutMillis();
      case RESTING -> atMillis;
      case WAITING, DONE -> Long.MAX_VALUE;
    };
  }

  @Override
  public String toString() {
    return kind + " " + id + " " + state + ", copies " + copies;
  }
}
