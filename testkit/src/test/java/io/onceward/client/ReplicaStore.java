package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.services.ClaimCommand;
import io.onceward.services.ClaimReply;
import io.onceward.services.ServiceDirectory;
import io.onceward.testkit.conformance.GuardHome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's store of guards without a network: its steps go straight into the log of a replica,
 * whose time the test moves. In this package, since the steps are not for others.
 */
public class ReplicaStore extends ClaimSteps implements GuardHome.Clock {
  private static final String PRINCIPAL = "anonymous";
  private static final long TICK_MILLIS = 10_000;

  private final Replica replica = new Replica(ServiceDirectory.shipped());
  private final ClusterId cluster = new ClusterId(7, 11);
  private final LongSupplier wallMillis;
  private long position;
  private long aheadMillis;

  public ReplicaStore() {
    this(System::currentTimeMillis);
  }

  /**
   * A store on a machine with this clock. If it stands still, time passes by the test's word alone.
   */
  ReplicaStore(LongSupplier wallMillis) {
    super("guard");
    this.wallMillis = wallMillis;
    apply(new Request.FormCluster(cluster), 0);
    apply(new Request.EnableService(ServiceDirectory.CLAIMS), cluster.tag());
  }

  private Decision apply(Request request, long clusterTag) {
    List<Decision> decisions = new ArrayList<>();
    LogEntry entry =
        new LogEntry(
            clusterTag, now().toEpochMilli(), List.of(new LogEntry.Proposal(PRINCIPAL, request)));
    replica.apply(++position, 1, entry.encode(), (ordinal, decision) -> decisions.add(decision));
    return decisions.get(0);
  }

  @Override
  synchronized ClaimReply submit(
      ClaimCommand command, @Nullable LongFunction<ClaimCommand> giveBack) {
    Decision decision = apply(new Request.Unkeyed(addressed(command)), cluster.tag());
    return ClaimReply.decode(((Decision.Replied) decision).reply().bytes());
  }

  @Override
  synchronized ClaimReply query(ClaimCommand question) {
    return ClaimReply.decode(replica.query(PRINCIPAL, addressed(question)).bytes());
  }

  private static Bytes addressed(ClaimCommand command) {
    return ServiceDirectory.address(ServiceDirectory.CLAIMS, ClaimCommand.encode(command));
  }

  @Override
  public final synchronized Instant now() {
    return Instant.ofEpochMilli(wallMillis.getAsLong() + aheadMillis);
  }

  @Override
  public synchronized void pass(Duration time) {
    passUnswept(time);
    sweep(1_000);
  }

  /** Time in which the cluster is at work, and nobody sweeps this store. */
  synchronized void passUnswept(Duration time) {
    for (long left = time.toMillis(); left > 0; left -= TICK_MILLIS) {
      aheadMillis += Math.min(left, TICK_MILLIS);
      apply(new Request.Tick(), cluster.tag());
    }
  }

  @Override
  public synchronized void outage(Duration time) {
    aheadMillis += time.toMillis();
    apply(new Request.Tick(), cluster.tag());
    sweep(1_000);
  }

  @Override
  public void close() {}
}
