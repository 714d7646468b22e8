package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Refusal;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.Opened;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Read;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A library opens what its application wants opened, and follows the incarnation in its journal or
 * the one that it was just told (S2, S3). A client that comes back sends the very opening that it
 * may have sent before, so it is never superseded by itself (S1).
 */
public final class OpensOnPurpose extends Invariant {
  private final Ledger ledger;
  private final Map<String, Set<List<Long>>> wanted = new HashMap<>();
  private final Map<String, Set<List<Long>>> pursued = new HashMap<>();
  private final Map<String, Set<Long>> read = new HashMap<>();
  private final Map<String, Long> sessions = new HashMap<>();

  public OpensOnPurpose(Ledger ledger) {
    this.ledger = ledger;
  }

  private static <T> Set<T> of(Map<String, Set<T>> sets, String client) {
    return sets.computeIfAbsent(client, any -> new HashSet<>());
  }

  @Override
  protected void started(Started started) {
    List<Long> nonce = List.of(started.nonceHigh(), started.nonceLow());
    of(wanted, started.client()).add(nonce);
    of(pursued, started.client()).add(nonce);
  }

  @Override
  protected void read(Read told) {
    of(read, told.client()).add(told.incarnation());
  }

  @Override
  protected void opened(Opened opened) {
    sessions.put(opened.client(), opened.address().session());
  }

  @Override
  protected void sends(Sends sends) {
    if (sends.request() instanceof Request.Open open) {
      check(
          of(wanted, sends.client()).contains(List.of(open.nonceHigh(), open.nonceLow())),
          "an opening that nobody wanted",
          sends);
      boolean reads = open.kind() != ClientKind.REGISTERED && !open.fromJournal();
      check(
          !reads || of(read, sends.client()).contains(open.predecessor()),
          "an opening that follows nobody",
          sends);
    }
  }

  @Override
  protected void over(Over over) {
    Long session = sessions.get(over.client());
    if (session != null
        && over.end() instanceof End.Lost lost
        && lost.refused().refusal() == Refusal.SUPERSEDED) {
      SessionFact fact = ledger.sessions().of(session);
      check(
          fact == null || fact.gone() || !of(pursued, over.client()).contains(fact.nonce()),
          "superseded by nobody else",
          over);
    }
    // A late copy of an opening that is over may still open something.
    of(pursued, over.client()).clear();
  }
}
