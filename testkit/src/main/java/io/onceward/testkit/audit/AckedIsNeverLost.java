package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Answered;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller was told stands in the log (E2), and while its memory is promised, by the session's
 * expiry (S7) or the key's retention (K3), no copy is told as if it were not.
 */
public final class AckedIsNeverLost extends Invariant {
  private final Ledger ledger;
  private final Set<Request.KeepAlive> keptAlive = new HashSet<>();

  public AckedIsNeverLost(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void answered(Answered answer) {
    if (answer.decision() instanceof Decision.Replied replied
        && replied.reply().kind() != Reply.Kind.FAILED) {
      boolean stands =
          ledger.executionsAt(replied.position()).stream()
              .anyMatch(execution -> tells(execution, replied.reply()));
      check(stands, "a caller was told a reply that is not in the log", answer);
    }
    if (answer.decision() instanceof Decision.Refused refused
        && refused.refusal() == Refusal.NO_SESSION
        && answer.request() instanceof Request.InSession ask) {
      sessionIsGone(answer, ask.address());
    }
    if (answer.request() instanceof Request.KeepAlive ask
        && answer.decision() instanceof Decision.Done) {
      check(keptAlive.contains(ask), "told that it was kept alive, but the log was not", answer);
    }
  }

  /** The log said so before the caller hears it. */
  private void sessionIsGone(Answered answer, Request.Address address) {
    SessionFact fact = ledger.sessions().of(address.session());
    boolean current =
        fact != null
            && fact.principal.equals(answer.principal())
            && address.clusterTag() == ledger.clusterId().tag()
            && address.incarnation() == fact.incarnation();
    check(
        fact == null || !current || !fact.promised(ledger.clock().ageMillis()),
        "a caller was told that a session is gone which is not",
        answer);
  }

  private static boolean tells(Execution execution, Reply reply) {
    return execution.reply().equals(reply) || reply.equals(Reply.REPLY_TOO_LARGE);
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.KeepAlive ask
        && copy.decision() instanceof Decision.Done) {
      keptAlive.add(ask);
    }
    Speech speech = Speech.of(copy, ledger);
    if (speech != null) {
      ofSession(copy, speech);
    } else if (copy.request() instanceof Request.Keyed ask) {
      ofKey(copy, ledger.keys().of(copy.principal(), ask.scope().name(), ask.key()));
    } else if (copy.request() instanceof Request.Open open) {
      ofName(copy, open, ledger.sessions().foundBy(copy.principal(), open));
    }
  }

  private void ofSession(Judged copy, Speech speech) {
    SessionFact fact = speech.own();
    if (fact == null || !speech.current() || !fact.promised(copy.ageMillis())) {
      return;
    }
    check(!Speech.refusedAs(copy, Refusal.NO_SESSION), "a session was gone before its time", copy);
    if (copy.request() instanceof Request.InSession ask
        && ask.watermark() <= ask.sequence()
        && ask.sequence() >= fact.watermark()
        && fact.effect(ask.sequence()) != null) {
      check(
          copy.decision() instanceof Decision.Replied
              || Speech.refusedAs(copy, Refusal.MISMATCH)
              || Speech.refusedAs(copy, Refusal.BAD_WATERMARK),
          "a remembered reply was not given",
          copy);
    }
  }

  private void ofKey(Judged copy, @Nullable KeyFact fact) {
    boolean remembered = fact != null && fact.effect() != null && fact.promised(copy.ageMillis());
    if (Speech.refusedAs(copy, Refusal.ACKNOWLEDGED)) {
      check(
          fact != null && fact.acknowledged(),
          "a key counts as acknowledged that nobody acknowledged",
          copy);
    } else if (remembered) {
      check(
          copy.decision() instanceof Decision.Replied || Speech.refusedAs(copy, Refusal.MISMATCH),
          "a remembered reply was not given",
          copy);
    }
  }

  private void ofName(Judged copy, Request.Open open, @Nullable SessionFact fact) {
    if (fact == null || !fact.promised(copy.ageMillis())) {
      return;
    }
    boolean fresh =
        copy.decision() instanceof Decision.Opened opened && opened.session() != fact.session;
    boolean foreign = open.predecessor() != 0 && open.clusterTag() != ledger.clusterId().tag();
    check(
        !fresh && (foreign || !Speech.refusedAs(copy, Refusal.NO_SESSION)),
        "a named session was gone before its time",
        copy);
  }
}
