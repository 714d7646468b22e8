package io.onceward.server.engine.ratis;

import io.onceward.server.engine.Machine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The entries that were submitted and whose fate is open. Each is told once: applied, or lost. */
final class Outstanding {
  private final Machine machine;
  private final Notices notices;
  private final Set<Submission> open = ConcurrentHashMap.newKeySet();

  Outstanding(Machine machine, Notices notices) {
    this.machine = machine;
    this.notices = notices;
  }

  void add(Submission submission) {
    open.add(submission);
  }

  /** True if the fate of the entry was open; it is up to the caller then to tell it. */
  boolean claim(Submission submission) {
    open.remove(submission);
    return submission.claim();
  }

  void lose(Submission submission, String reason) {
    if (claim(submission)) {
      notices.post(() -> machine.lost(submission.handle(), reason));
    }
  }

  void loseAll(String reason) {
    for (Submission submission : open) {
      lose(submission, reason);
    }
  }
}
