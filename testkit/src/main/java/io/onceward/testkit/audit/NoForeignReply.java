package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Answered;

/**
 * Nobody gets the reply of another id. Sessions and keys of another principal, or of another
 * cluster, look exactly like ids that do not exist (L3, S1).
 */
public final class NoForeignReply extends Invariant {
  private final Ledger ledger;

  public NoForeignReply(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    if (speech != null && speech.foreign()) {
      check(
          Speech.refusedAs(copy, Refusal.NO_SESSION),
          "a stranger met more than a session that does not exist",
          copy);
    }
    if (copy.decision() instanceof Decision.Opened opened
        && copy.request() instanceof Request.Open open) {
      SessionFact fact = ledger.sessions().of(opened.session());
      check(
          fact == null || fact == ledger.sessions().foundBy(copy.principal(), open),
          "an opening was given the session of another client",
          copy);
    }
    if (copy.decision() instanceof Decision.Replied replied) {
      long told = wishIn(replied.reply());
      check(told == 0 || told == executedWish(copy, replied), "a reply of another request", copy);
    }
  }

  @Override
  protected void answered(Answered answer) {
    if (answer.decision() instanceof Decision.Replied replied
        && answer.request() instanceof Request.Keyed ask) {
      Effect effect = ledger.effectOf(answer.principal(), ask);
      // A later execution of an undated key may have taken the place of the one that is told.
      boolean same = effect != null && effect.isWhat(replied);
      check(
          same || (effect != null && !ask.key().isDated()),
          "a caller was told a reply of another request",
          answer,
          "; executed was ",
          effect);
    }
  }

  /** The wish that was executed under this copy's id, or 0 if none was. */
  private long executedWish(Judged copy, Decision.Replied replied) {
    if (!replied.replay()) {
      return copy.wish();
    }
    Effect effect = ledger.effectOf(copy.principal(), copy.request());
    return effect == null ? 0 : effect.wish();
  }

  /** The simulated service begins each reply with the number of the wish. */
  private static long wishIn(Reply reply) {
    return reply.bytes().length() < Long.BYTES ? 0 : reply.bytes().asBuffer().getLong();
  }
}
