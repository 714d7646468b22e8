package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Taken;
import io.onceward.testkit.audit.ClientEvents.Tells;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What an application handed to a client with a journal, and has not taken, is handed back when the
 * process comes back after a crash, once each (C5). What is not in the journal was never sent, so
 * it has not executed.
 */
public final class JournalLosesNothing extends Invariant {
  /**
   * Where sequences are counted from 1. A cluster that was formed anew gives the numbers of its
   * sessions again, and only durable names go on counting when they are opened again.
   */
  private record Counting(String client, long clusterTag, long session, long incarnation) {}

  private final Set<String> durable = new HashSet<>();
  private final Map<String, Map<String, Long>> handedIn = new HashMap<>();
  private final Map<String, Set<String>> everHandedIn = new HashMap<>();
  private final Map<Counting, Long> watermarks = new HashMap<>();
  private final Set<Long> executed = new HashSet<>();

  @Override
  protected void started(Started started) {
    if (started.kind() == ClientKind.DURABLE) {
      durable.add(started.client());
    }
  }

  @Override
  protected void submitted(Submitted submitted) {
    if (!submitted.tag().isEmpty()) {
      handedIn
          .computeIfAbsent(submitted.client(), client -> new LinkedHashMap<>())
          .put(submitted.tag(), submitted.wish());
      everHandedIn
          .computeIfAbsent(submitted.client(), client -> new HashSet<>())
          .add(submitted.tag());
    }
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.executed()) {
      executed.add(copy.wish());
    }
  }

  @Override
  protected void sends(Sends sends) {
    if (sends.request() instanceof Request.InSession ask) {
      carries(sends.client(), ask.address(), ask.watermark());
    } else if (sends.request() instanceof Request.KeepAlive ask) {
      carries(sends.client(), ask.address(), ask.watermark());
    }
  }

  private void carries(String client, Request.Address address, long watermark) {
    watermarks.merge(counting(client, address), watermark, Math::max);
  }

  private Counting counting(String client, Request.Address address) {
    long incarnation = durable.contains(client) ? 0 : address.incarnation();
    return new Counting(client, address.clusterTag(), address.session(), incarnation);
  }

  /** Others may acknowledge what is not theirs to acknowledge, but the client itself does not. */
  @Override
  protected void tells(Tells tells) {
    boolean wanted = tells.wish() != 0;
    if (wanted
        && tells.address() != null
        && tells.decision() instanceof Decision.Refused refused
        && refused.refusal() == Refusal.ACKNOWLEDGED) {
      check(
          tells.sequence()
              >= watermarks.getOrDefault(counting(tells.client(), tells.address()), 0L),
          "the client's watermark passed a reply that its application never had",
          tells);
    }
  }

  @Override
  protected void taken(Taken taken) {
    handedIn.getOrDefault(taken.client(), Map.of()).remove(taken.tag());
  }

  @Override
  protected void recovered(Recovered recovered) {
    Set<String> handedBack = new HashSet<>();
    Set<String> known = everHandedIn.getOrDefault(recovered.client(), Set.of());
    for (Recovered.Entry entry : recovered.entries()) {
      check(handedBack.add(entry.tag()), "handed back twice", entry, " of ", recovered);
      check(known.contains(entry.tag()), "handed back what nobody handed in", entry);
    }
    Map<String, Long> expected = handedIn.getOrDefault(recovered.client(), new HashMap<>());
    for (Map.Entry<String, Long> one : Map.copyOf(expected).entrySet()) {
      if (!handedBack.contains(one.getKey())) {
        check(
            !executed.contains(one.getValue()),
            "it executed and the journal does not know it",
            one,
            "; handed back were ",
            recovered);
        expected.remove(one.getKey());
      }
    }
  }
}
