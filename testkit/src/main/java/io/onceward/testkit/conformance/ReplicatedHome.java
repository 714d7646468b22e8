package io.onceward.testkit.conformance;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.guard.GuardedId;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The replicated home at its heart: a replica that applies one entry for each copy. */
public final class ReplicatedHome implements Home {
  /** How far apart the leader's ticks are while nothing else is logged. */
  private static final long TICK_MILLIS = 10_000;

  private final Map<String, Integer> effects = new ConcurrentHashMap<>();
  private final Replica replica = new Replica(new Wishes());
  private final ClusterId cluster = new ClusterId(7, 11);
  private long position;
  private long aheadMillis;

  public ReplicatedHome() {
    apply("", new Request.FormCluster(cluster), 0);
  }

  private synchronized Decision apply(String principal, Request request, long clusterTag) {
    List<Decision> decisions = new ArrayList<>();
    LogEntry entry =
        new LogEntry(
            clusterTag, nowMillis(), List.of(new LogEntry.Proposal(nameOf(principal), request)));
    replica.apply(++position, 1, entry.encode(), (ordinal, decision) -> decisions.add(decision));
    return decisions.get(0);
  }

  private long nowMillis() {
    return System.currentTimeMillis() + aheadMillis;
  }

  private static String nameOf(String principal) {
    return principal.isEmpty() ? "anonymous" : principal;
  }

  private static String told(Decision decision) {
    if (decision instanceof Decision.Replied replied) {
      return Words.replied(replied.reply(), replied.replay());
    }
    if (decision instanceof Decision.Refused refused) {
      return Words.refused(refused.refusal());
    }
    if (decision instanceof Decision.Abandoned abandoned) {
      return Words.closed(abandoned.forEver());
    }
    return decision instanceof Decision.Done ? "done" : decision.toString();
  }

  @Override
  public String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish) {
    return told(
        apply(
            id.principal(),
            new Request.Keyed(id.scope(), id.key(), fingerprint, List.of(), Bytes.utf8(wish)),
            cluster.tag()));
  }

  @Override
  public synchronized String outcome(GuardedId id) {
    return Words.outcome(replica.outcome(nameOf(id.principal()), id.scope(), id.key()));
  }

  @Override
  public String abandon(GuardedId id) {
    String told =
        told(apply(id.principal(), new Request.AbandonKey(id.scope(), id.key()), cluster.tag()));
    return told.startsWith("replay ") ? "executed " + told.substring("replay ".length()) : told;
  }

  @Override
  public String acknowledge(GuardedId id) {
    return told(
        apply(
            id.principal(), new Request.Acknowledge(id.scope(), List.of(id.key())), cluster.tag()));
  }

  @Override
  public void datedOnly(Scope scope) {
    long retention = Parameter.RETENTION_MILLIS.initial();
    expect(Decision.Done.class, new Request.SetScope(scope, retention, true));
  }

  @Override
  public synchronized long countOlderThan(Instant moment) {
    return replica.countOlderThan(moment.toEpochMilli());
  }

  @Override
  public long forget(Instant moment) {
    return expect(Decision.Forgot.class, new Request.Forget(moment.toEpochMilli())).records();
  }

  private <D extends Decision> D expect(Class<D> type, Request request) {
    return type.cast(apply("admin", request, cluster.tag()));
  }

  @Override
  public synchronized Instant now() {
    return Instant.ofEpochMilli(nowMillis());
  }

  @Override
  public synchronized void pass(Duration time) {
    for (long left = time.toMillis(); left > 0; left -= TICK_MILLIS) {
      aheadMillis += Math.min(left, TICK_MILLIS);
      expect(Decision.Done.class, new Request.Tick());
    }
  }

  @Override
  public synchronized void outage(Duration time) {
    aheadMillis += time.toMillis();
    expect(Decision.Done.class, new Request.Tick());
  }

  @Override
  public int effects(String wish) {
    return effects.getOrDefault(wish, 0);
  }

  @Override
  public void close() {}

  private final class Wishes implements Service {
    @Override
    public Reply execute(Command command) {
      Wish wish = Wish.of(command.payload().asText());
      if (wish.takesEffect()) {
        effects.merge(command.payload().asText(), 1, Integer::sum);
      }
      return wish.reply();
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }
}
