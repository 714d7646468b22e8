package io.onceward.guard;

import io.onceward.Refusal;
import io.onceward.Reply;

/** What abandoning a request led to (O2). */
public sealed interface GuardedAbandonment {

  /** Too late: it had executed, and this is what it answered. */
  record Executed(Reply reply) implements GuardedAbandonment {}

  /**
   * It did not take effect, and every late copy is refused. The same may be asked under a new id.
   *
   * @param forEver false for undated keys, which are closed until their retention ends
   */
  record Closed(boolean forEver) implements GuardedAbandonment {}

  /**
   * Not decided: an effect outside cannot be called back. It is {@link GuardedOutcome.Running}, so
   * ask again later, or {@link GuardedOutcome.Unknown}, so resolve it first.
   */
  record Undecided(GuardedOutcome now) implements GuardedAbandonment {}

  /**
   * Nothing was changed: {@code ACKNOWLEDGED}, it had been decided, and its reply was taken; {@code
   * FORGOTTEN}, whether it executed is no longer known, and every late copy is refused all the
   * same; {@code FROM_THE_FUTURE}; {@code OVERLOADED}.
   *
   * @param limit the name of the limit that was met, or empty
   */
  record Refused(Refusal refusal, String limit) implements GuardedAbandonment {}
}
