package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Answered;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was refused as {@code never} neither did execute nor ever does (O2, O3): an abandoned id as
 * a whole, and a payload under an id that was first used for another. Undated keys are closed until
 * their retention ends.
 */
public final class NeverMeansNever extends Invariant {
  private record Closed(String principal, Id id, long wish) {}

  private final Ledger ledger;
  private final Map<Closed, Object> closed = new HashMap<>();
  private final Map<Closed, Judged> executed = new HashMap<>();

  public NeverMeansNever(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    Id id = Id.of(copy.request(), ledger.sessions());
    if (id == null) {
      return;
    }
    if (copy.repliedFirst()) {
      if (!mayRepeat(copy)) {
        Object told = closed.get(new Closed(copy.principal(), id, copy.wish()));
        Object toldForAll = closed.get(new Closed(copy.principal(), id, 0));
        check(
            told == null && toldForAll == null,
            "executed after it was told never",
            copy,
            "; told was ",
            (told == null ? toldForAll : told));
      }
      check(!holeWasAbandoned(copy), "executed after its session gave it up", copy);
      executed.put(new Closed(copy.principal(), id, copy.wish()), copy);
      executed.put(new Closed(copy.principal(), id, 0), copy);
    }
    never(copy.principal(), id, copy.wish(), copy.decision(), copy);
  }

  @Override
  protected void answered(Answered answer) {
    Id id = Id.of(answer.request(), ledger.sessions());
    Closed what =
        id == null ? null : closes(answer.principal(), id, answer.wish(), answer.decision());
    // What the log has said before may reach its caller when an undated key is free again.
    if (id != null && what != null && !closed.containsKey(what)) {
      never(answer.principal(), id, answer.wish(), answer.decision(), answer);
    }
  }

  private void never(String principal, Id id, long wish, Decision decision, Object told) {
    Closed what = closes(principal, id, wish, decision);
    if (what != null) {
      Judged earlier = executed.get(what);
      check(
          earlier == null || mayBeDropped(what, earlier),
          "told never after it executed",
          told,
          "; executed was ",
          earlier);
      closed.putIfAbsent(what, told);
    }
  }

  private static @Nullable Closed closes(String principal, Id id, long wish, Decision decision) {
    if (decision instanceof Decision.Abandoned) {
      return new Closed(principal, id, 0);
    }
    if (decision instanceof Decision.Refused refused
        && refused.executed() == Refusal.Executed.NEVER) {
      return new Closed(principal, id, refused.refusal() == Refusal.MISMATCH ? wish : 0);
    }
    return null;
  }

  /** Opening a durable name without a journal abandons the holes in its window (S2). */
  private boolean holeWasAbandoned(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    SessionFact fact = speech == null ? null : speech.own();
    return fact != null
        && copy.request() instanceof Request.InSession ask
        && fact.isAbandoned(ask.sequence());
  }

  /** An undated key without a promised record is free again. */
  private boolean mayRepeat(Judged copy) {
    if (copy.request() instanceof Request.Keyed ask && !ask.key().isDated()) {
      KeyFact fact = ledger.keys().of(copy.principal(), ask.scope().name(), ask.key());
      return fact != null && !fact.promised(copy.ageMillis());
    }
    return false;
  }

  private boolean mayBeDropped(Closed what, Judged earlier) {
    if (what.id() instanceof Id.Keyed keyed && !keyed.key().isDated()) {
      KeyFact fact = ledger.keys().of(what.principal(), keyed.scope(), keyed.key());
      return fact == null
          || fact.effect() == null
          || fact.effect().position() != earlier.position()
          || !fact.promised(ledger.clock().ageMillis());
    }
    return false;
  }
}
