package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Answered;
import org.jspecify.annotations.Nullable;

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
    check(fits(answer.request(), answer.decision()), "an answer to another question", answer);
    if (answer.decision() instanceof Decision.Opened opened) {
      SessionFact fact = ledger.sessions().of(opened.session());
      check(
          fact != null && fact.wasOpenedIn(answer.clusterTag()),
          "an opening was told another cluster than its own",
          answer);
    }
    if (answer.decision() instanceof Decision.Replied replied) {
      Effect effect = ledger.effectOf(answer.principal(), answer.request());
      check(
          mayBeTold(answer.request(), replied, effect),
          "a caller was told a reply of another request",
          answer,
          "; executed was ",
          effect);
    }
  }

  /** Whether this kind of decision can be made about this kind of request at all. */
  private static boolean fits(Request request, Decision decision) {
    boolean opens = request instanceof Request.Open;
    boolean asks =
        request instanceof Request.InSession
            || request instanceof Request.Keyed
            || request instanceof Request.Unkeyed;
    boolean abandons =
        request instanceof Request.AbandonSequence || request instanceof Request.AbandonKey;
    if (decision instanceof Decision.Opened) {
      return opens;
    }
    if (decision instanceof Decision.Replied) {
      return asks || abandons;
    }
    if (decision instanceof Decision.Abandoned) {
      return abandons;
    }
    if (decision instanceof Decision.Forgot) {
      return request instanceof Request.Forget;
    }
    return decision instanceof Decision.Refused || !(opens || asks || abandons);
  }

  /**
   * A later life of an auto name or of an undated key may have taken the place of the execution
   * that is told.
   */
  private static boolean mayBeTold(
      Request request, Decision.Replied replied, @Nullable Effect effect) {
    if (request instanceof Request.Unkeyed) {
      return true;
    }
    if (request instanceof Request.Keyed ask && ask.key().isDated()) {
      return effect != null && effect.isWhat(replied);
    }
    return effect == null
        ? !(request instanceof Request.Keyed || request instanceof Request.AbandonKey)
        : effect.isWhat(replied) || effect.position() > replied.position();
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
  static long wishIn(Reply reply) {
    return reply.bytes().length() < Long.BYTES ? 0 : reply.bytes().asBuffer().getLong();
  }
}
