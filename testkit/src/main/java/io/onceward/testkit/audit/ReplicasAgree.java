package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Way;
import java.util.HashMap;
import java.util.Map;

/** Same log, same decisions, same runs of the service, same bytes on every node (T1, E3). */
public final class ReplicasAgree extends Invariant {
  private record Seen(int node, Batch batch) {}

  private final Map<Long, Seen> batches = new HashMap<>();
  private final Map<Long, Digested> digests = new HashMap<>();

  @Override
  protected void applied(int node, long position, Batch batch) {
    Seen first = batches.putIfAbsent(position, new Seen(node, batch));
    if (first == null) {
      return;
    }
    check(
        batch.decisions().isEmpty() || batch.decisions().equals(first.batch.decisions()),
        "two nodes decided differently",
        position,
        ": ",
        first.node,
        " and ",
        node,
        ": ",
        first.batch.decisions(),
        " and ",
        batch.decisions());
    check(
        batch.executions().equals(first.batch.executions()),
        "two services ran differently",
        position,
        ": ",
        first.node,
        " and ",
        node,
        ": ",
        first.batch.executions(),
        " and ",
        batch.executions());
  }

  @Override
  protected void digested(Digested digest) {
    if (digest.way() == Way.APPLIED) {
      Digested first = digests.putIfAbsent(digest.position(), digest);
      check(
          first == null || first.digest().equals(digest.digest()),
          "two nodes differ at one position",
          first,
          " and ",
          digest);
    }
  }
}
