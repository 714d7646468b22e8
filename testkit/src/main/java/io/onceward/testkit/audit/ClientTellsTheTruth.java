package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Tells;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the library tells its application agrees with the log: decided with this reply, never, or
 * unknown. Each request is told once, and when a session is over, everything that was not told is
 * told to be unknown (C1, S8).
 */
public final class ClientTellsTheTruth extends Invariant {
  private record Never(long session, long incarnation, long sequence) {}

  private final Ledger ledger;
  private final Map<Integer, TreeMap<Long, Long>> untold = new HashMap<>();
  private final Map<Never, Tells> never = new HashMap<>();

  public ClientTellsTheTruth(Ledger ledger) {
    this.ledger = ledger;
  }

  private TreeMap<Long, Long> untold(int process) {
    return untold.computeIfAbsent(process, number -> new TreeMap<>());
  }

  @Override
  protected void recovered(Recovered recovered) {
    for (Recovered.Entry entry : recovered.entries()) {
      if (entry.undecided()) {
        untold(recovered.process()).put(entry.sequence(), entry.wish());
      }
    }
  }

  @Override
  protected void submitted(Submitted submitted) {
    untold(submitted.process()).put(submitted.sequence(), submitted.wish());
  }

  @Override
  protected void tells(Tells tells) {
    Long wish = untold(tells.process()).remove(tells.sequence());
    check(wish != null, "told twice, or without being asked", tells);
    check(wish == null || wish == tells.wish(), "told of another request", tells);
    Request.Address address = tells.address();
    SessionFact fact = address == null ? null : ledger.sessions().of(address.session());
    if (address == null || fact == null) {
      return;
    }
    Effect effect = fact.effectIn(address.incarnation(), tells.sequence());
    if (tells.decision() instanceof Decision.Replied replied) {
      check(
          effect != null && effect.isWhat(replied),
          "told a reply that is not in the log",
          tells,
          "; executed was ",
          effect);
    } else if (isNever(tells.decision())) {
      check(
          effect == null || effect.wish() != tells.wish(),
          "told never, but it executed",
          tells,
          "; executed was ",
          effect);
      never.put(id(fact, address, tells.sequence()), tells);
    }
  }

  private static Never id(SessionFact fact, Request.Address address, long sequence) {
    boolean auto = fact.kind == ClientKind.AUTO;
    return new Never(address.session(), auto ? address.incarnation() : 0, sequence);
  }

  private static boolean isNever(Decision decision) {
    return decision instanceof Decision.Abandoned
        || decision instanceof Decision.Refused refused
            && refused.executed() == Refusal.Executed.NEVER;
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.repliedFirst() && copy.request() instanceof Request.InSession ask) {
      SessionFact fact = ledger.sessions().of(ask.address().session());
      Tells told = fact == null ? null : never.get(id(fact, ask.address(), ask.sequence()));
      check(
          told == null || told.wish() != copy.wish(),
          "executed after its application was told never",
          copy,
          "; told was ",
          told);
    }
  }

  @Override
  protected void over(Over over) {
    Set<Long> left = untold(over.process()).keySet();
    boolean all = left.size() == over.unknown().size() && left.containsAll(over.unknown());
    boolean mayBeLeft = !(over.end() instanceof End.Closed) || left.isEmpty();
    check(all && mayBeLeft, "a session ended in silence", over, "; untold are ", left);
    if (isGone(over)) {
      left.clear();
    }
  }

  /** Otherwise what is undecided is in the journal, and asked again in the next session. */
  static boolean isGone(Over over) {
    return over.end() instanceof End.Lost || over.end() instanceof End.Closed;
  }

  @Override
  protected void keyTells(KeyTells tells) {
    String principal = ledger.resolve(tells.principal());
    String scope = tells.scope().name();
    List<KeyFact> ever = ledger.keys().ever(principal, scope, tells.key());
    if (tells.decision() instanceof Decision.Replied replied) {
      check(
          ledger.effectTold(principal, scope, tells.key(), replied) != null,
          "told a reply that is not in the log",
          tells,
          "; executed was ",
          effectsOf(ever));
    } else if (isNever(tells.decision()) && tells.key().isDated()) {
      boolean executed = false;
      for (Effect effect : effectsOf(ever)) {
        executed |= effect.wish() == tells.wish();
      }
      check(!executed, "told never, but it executed", tells, "; executed was ", effectsOf(ever));
    }
  }

  private static List<Effect> effectsOf(List<KeyFact> records) {
    List<Effect> effects = new ArrayList<>();
    for (KeyFact fact : records) {
      Effect effect = fact.effect();
      if (effect != null) {
        effects.add(effect);
      }
    }
    return effects;
  }
}
