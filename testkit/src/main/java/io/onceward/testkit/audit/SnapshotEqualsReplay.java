package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Way;
import java.util.HashMap;
import java.util.Map;

/** A state that was read from a snapshot is the state that applying the whole log makes (T1). */
public final class SnapshotEqualsReplay extends Invariant {
  private final Map<Long, Digested> applied = new HashMap<>();

  @Override
  protected void digested(Digested digest) {
    if (digest.way() == Way.APPLIED) {
      applied.putIfAbsent(digest.position(), digest);
      return;
    }
    Digested other = applied.get(digest.position());
    check(
        other == null || other.digest().equals(digest.digest()),
        "a state depends on the way to it",
        digest,
        " and ",
        other);
  }
}
