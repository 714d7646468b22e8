package io.onceward.testkit.audit;

import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Compared;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Without anyone asking, every node is compared with its leader before long; one that differs says
 * so, and no other one does. What was answered as failed because of a quarantine is confirmed by
 * the log (E8).
 */
public final class DifferencesAreNoticed extends Invariant {
  private final Map<Long, String> named = new HashMap<>();

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.NameDigest name) {
      named.put(name.position(), HexFormat.of().formatHex(name.digest().toArray()));
    }
  }

  @Override
  protected void compared(Compared node) {
    boolean compared = false;
    boolean differs = false;
    boolean everDiffered = false;
    for (Map.Entry<Long, String> own : node.own().entrySet()) {
      String leaders = named.get(own.getKey());
      if (leaders != null) {
        boolean other = !leaders.equals(own.getValue());
        everDiffered |= other;
        if (own.getKey() > node.since()) {
          compared = true;
          differs |= other;
        }
      }
    }
    check(compared, "a node is not compared with its leader", node);
    check(!differs || node.difference() != null, "a node that differs says nothing", node);
    check(everDiffered || node.difference() == null, "a node is said to differ", node);
    check(node.unconfirmed().isEmpty(), "what was quarantined is not confirmed", node);
  }
}
