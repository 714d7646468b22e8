package io.onceward.guard;

import io.onceward.Reply;

/** What a probe or an operator found out about a request whose fate is unknown (G3). */
public sealed interface Finding {
  /** It happened, and this is its reply. */
  record Happened(Reply reply) implements Finding {}

  /** Nobody can tell yet. The request stays unknown. */
  record CannotTell() implements Finding {}

  /**
   * It did not happen <em>and can no longer happen</em>: run it. Who cannot exclude that an earlier
   * run is merely slow, paused or on its way must say {@link CannotTell}.
   */
  record CanNoLongerHappen() implements Finding {}
}
