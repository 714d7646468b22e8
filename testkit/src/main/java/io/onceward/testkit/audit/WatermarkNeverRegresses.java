package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;

/**
 * A watermark moves forward only, only by the client's word, and never past a sequence that is not
 * decided (S5). Below it nothing executes or replays; at and above it nothing counts as taken.
 */
public final class WatermarkNeverRegresses extends Invariant {
  private final Ledger ledger;

  public WatermarkNeverRegresses(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.Open open
        && copy.decision() instanceof Decision.Opened opened) {
      inherited(copy, open, opened);
      return;
    }
    Speech speech = Speech.of(copy, ledger);
    SessionFact fact = speech == null ? null : speech.own();
    if (speech == null || fact == null || !speech.current()) {
      return;
    }
    if (copy.request() instanceof Request.InSession ask) {
      boolean bad = ask.watermark() > ask.sequence() || ask.watermark() > fact.frontier();
      carried(copy, fact, bad);
      long watermark = Math.max(fact.watermark(), bad ? 0 : ask.watermark());
      below(copy, ask.sequence(), watermark);
    } else if (copy.request() instanceof Request.KeepAlive ask) {
      carried(copy, fact, ask.watermark() > fact.frontier());
    } else if (copy.request() instanceof Request.AbandonSequence ask) {
      below(copy, ask.sequence(), fact.watermark());
    }
  }

  private void carried(Judged copy, SessionFact fact, boolean bad) {
    boolean refused = Speech.refusedAs(copy, Refusal.BAD_WATERMARK);
    boolean sessionIsGone = Speech.refusedAs(copy, Refusal.NO_SESSION);
    check(
        sessionIsGone || refused == bad,
        bad ? "a bad watermark was taken" : "a true watermark was refused",
        copy,
        "; the frontier was ",
        fact.frontier());
  }

  private void below(Judged copy, long sequence, long watermark) {
    boolean acknowledged = Speech.refusedAs(copy, Refusal.ACKNOWLEDGED);
    check(
        !acknowledged || sequence < watermark,
        "a sequence counts as taken that the client has not taken",
        copy,
        "; the watermark is ",
        watermark);
    boolean refused = copy.decision() instanceof Decision.Refused;
    check(
        sequence >= watermark || refused,
        "a sequence below the watermark was not refused",
        copy,
        "; the watermark is ",
        watermark);
  }

  private void inherited(Judged copy, Request.Open open, Decision.Opened opened) {
    SessionFact fact = ledger.sessions().foundBy(copy.principal(), open);
    if (fact == null || fact.session != opened.session()) {
      check(opened.watermark() == 1, "a new session begins with another watermark", copy);
      return;
    }
    boolean sameIncarnation = fact.incarnation() == opened.incarnation();
    boolean emptied = fact.kind == ClientKind.AUTO && !sameIncarnation;
    long expected = emptied ? 1 : fact.watermark();
    check(
        opened.watermark() == expected,
        "an opening tells another watermark",
        copy,
        "; it was ",
        expected);
    check(
        opened.nextSequence() >= (emptied ? 1 : fact.nextSequence()),
        "an opening hands out sequences again",
        copy);
  }
}
