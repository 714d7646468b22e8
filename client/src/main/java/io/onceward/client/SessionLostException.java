package io.onceward.client;

import io.onceward.Decision;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.RequestId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session is gone: closed, expired, of another cluster ({@code NO_SESSION}), or another process
 * opened its name ({@code SUPERSEDED}). Final: nothing of it is ever sent again, and no new session
 * is opened behind anyone's back (S4, S8).
 */
public final class SessionLostException extends OncewardException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 5;

  private final Refusal refusal;
  private final transient List<RequestId> unknown;
  private final List<String> unknownTags;

  SessionLostException(
      Decision.Refused refused,
      List<RequestId> unknown,
      List<String> unknownTags,
      Executed executed,
      @Nullable RequestId id) {
    super(message(refused, unknown, unknownTags), executed, false, id, null);
    this.refusal = refused.refusal();
    this.unknown = unknown;
    this.unknownTags = unknownTags;
  }

  private static String message(
      Decision.Refused refused, List<RequestId> unknown, List<String> tags) {
    StringBuilder text = new StringBuilder();
    text.append("the session is lost, ").append(refused.refusal()).append(": ");
    text.append(refused.refusal().advice());
    if (unknown.isEmpty()) {
      return text.append("; nothing was undecided").toString();
    }
    text.append("; unknown: ").append(unknown.size()).append(" (");
    for (int i = 0; i < Math.min(SHOWN, unknown.size()); i++) {
      text.append(i == 0 ? "" : ", ").append(unknown.get(i).print());
      if (i < tags.size() && !tags.get(i).isEmpty()) {
        text.append(" \"").append(tags.get(i)).append('"');
      }
    }
    return text.append(unknown.size() > SHOWN ? ", …)" : ")").toString();
  }

  /** {@code NO_SESSION} or {@code SUPERSEDED}. */
  public Refusal refusal() {
    return refusal;
  }

  /** Every request of the session that was undecided when it was lost, in order. */
  public List<RequestId> unknown() {
    return unknown;
  }

  /** With a journal, the tags of {@link #unknown()}, in the same order; otherwise empty. */
  public List<String> unknownTags() {
    return unknownTags;
  }
}
