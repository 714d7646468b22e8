package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Answered;
import org.jspecify.annotations.Nullable;

/** Same id, other fingerprint: nothing executes and the remembered reply is not shown (E7). */
public final class MismatchHasNoEffect extends Invariant {
  private final Ledger ledger;

  public MismatchHasNoEffect(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.InSession ask) {
      SessionFact fact = ledger.sessions().of(ask.address().session());
      compare(copy, ask.fingerprint(), fact == null ? null : fact.effect(ask.sequence()), true);
    } else if (copy.request() instanceof Request.Keyed ask) {
      KeyFact fact = ledger.keys().of(copy.principal(), ask.scope().name(), ask.key());
      boolean promised = fact != null && fact.promised(copy.ageMillis());
      compare(copy, ask.fingerprint(), fact == null ? null : fact.effect(), promised);
    }
  }

  @Override
  protected void answered(Answered answer) {
    if (!(answer.decision() instanceof Decision.Replied replied)) {
      return;
    }
    Effect effect = ledger.effectTold(answer.principal(), answer.request(), replied);
    if (effect != null) {
      Fingerprint carried =
          answer.request() instanceof Request.InSession ask
              ? ask.fingerprint()
              : answer.request() instanceof Request.Keyed ask ? ask.fingerprint() : null;
      check(
          !effect.mismatches(carried),
          "a caller was shown the reply of another payload",
          answer,
          "; executed was ",
          effect);
    }
  }

  private void compare(
      Judged copy, @Nullable Fingerprint carried, @Nullable Effect effect, boolean promised) {
    boolean mismatch = effect != null && effect.mismatches(carried);
    if (Speech.refusedAs(copy, Refusal.MISMATCH)) {
      check(mismatch, "refused as a mismatch without one", copy, "; executed was ", effect);
      check(!copy.executed(), "a mismatch had an effect", copy);
    }
    if (mismatch && promised) {
      check(
          !copy.executed() && !(copy.decision() instanceof Decision.Replied),
          "another payload under the same id",
          copy,
          "; executed was ",
          effect);
    }
  }
}
