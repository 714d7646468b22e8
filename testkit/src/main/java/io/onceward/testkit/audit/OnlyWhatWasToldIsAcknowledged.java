package io.onceward.testkit.audit;

import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.KeyTaken;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Tells;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The library's watermark passes no request that its application was not told of (C3, C5), and it
 * acknowledges no key whose reply the application has not taken (K2).
 */
public final class OnlyWhatWasToldIsAcknowledged extends Invariant {
  private record Taken(String client, Scope scope, Key key) {}

  private final Map<Integer, TreeSet<Long>> untold = new HashMap<>();
  private final Set<Taken> taken = new HashSet<>();

  private TreeSet<Long> untold(int process) {
    return untold.computeIfAbsent(process, number -> new TreeSet<>());
  }

  @Override
  protected void submitted(Submitted submitted) {
    untold(submitted.process()).add(submitted.sequence());
  }

  @Override
  protected void recovered(Recovered recovered) {
    for (Recovered.Entry entry : recovered.entries()) {
      if (entry.undecided()) {
        untold(recovered.process()).add(entry.sequence());
      }
    }
  }

  @Override
  protected void tells(Tells tells) {
    untold(tells.process()).remove(tells.sequence());
  }

  @Override
  protected void over(Over over) {
    if (ClientTellsTheTruth.isGone(over)) {
      untold(over.process()).clear();
    }
  }

  @Override
  protected void keyTaken(KeyTaken event) {
    taken.add(new Taken(event.client(), event.scope(), event.key()));
  }

  @Override
  protected void sends(Sends sends) {
    if (sends.request() instanceof Request.InSession ask) {
      passes(ask.watermark(), sends);
    } else if (sends.request() instanceof Request.KeepAlive ask) {
      passes(ask.watermark(), sends);
    } else if (sends.request() instanceof Request.Keyed ask) {
      acknowledges(ask.scope(), ask.acknowledged(), sends);
    } else if (sends.request() instanceof Request.Acknowledge ask) {
      acknowledges(ask.scope(), ask.acknowledged(), sends);
    }
  }

  private void passes(long watermark, Sends sends) {
    TreeSet<Long> waiting = untold(sends.process());
    check(
        waiting.isEmpty() || waiting.first() >= watermark,
        "the watermark passes what was not told",
        sends,
        "; untold are ",
        waiting);
  }

  private void acknowledges(Scope scope, List<Key> keys, Sends sends) {
    for (Key key : keys) {
      check(
          taken.contains(new Taken(sends.client(), scope, key)),
          "acknowledges what was not taken",
          sends,
          "; that is ",
          key);
    }
  }
}
