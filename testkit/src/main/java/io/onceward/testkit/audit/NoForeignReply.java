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
    check(fits(answer.request(), answer.decision()), "an answer to another question", answer);
    if (answer.decision() instanceof Decision.Opened opened) {
      SessionFact fact = ledger.sessions().of(opened.session());
      check(
          fact != null && fact.wasOpenedIn(answer.clusterTag()),
          "an opening was told another cluster than its own",
          answer);
    }
    if (answer.decision() instanceof Decision.Replied replied) {
      check(
          answer.request() instanceof Request.Unkeyed
              || ledger.effectTold(answer.principal(), answer.request(), replied) != null,
          "a caller was told a reply of another request",
          answer,
          "; executed was ",
          ledger.effectOf(answer.principal(), answer.request()));
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
      return request instanceof Request.Forget || request instanceof Request.ForgetByAge;
    }
    return decision instanceof Decision.Refused || !(opens || asks || abandons);
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
