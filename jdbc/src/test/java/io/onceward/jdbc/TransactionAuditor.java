package io.onceward.jdbc;

import io.onceward.Reply;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows what everybody was told of transactions, and finds what the table of effects contradicts.
 * Thread-safe.
 */
final class TransactionAuditor {
  private final Map<GuardedId, Reply> told = new HashMap<>();
  private final Set<GuardedId> maybeClosed = new HashSet<>();
  private final Set<GuardedId> closed = new HashSet<>();

  /** Runs of copies that were told that it did not happen. */
  private final Set<String> denied = new HashSet<>();

  private final List<String> violations = new ArrayList<>();
  private boolean swept;

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  synchronized void violated(GuardedId id, String what) {
    violations.add(id + ": " + what);
  }

  synchronized boolean wasTold(GuardedId id) {
    return told.containsKey(id);
  }

  /** Records may be dropped from here on. */
  synchronized void sweeps() {
    swept = true;
  }

  synchronized void isBeingClosed(GuardedId id) {
    maybeClosed.add(id);
  }

  synchronized void closed(GuardedId id) {
    closed.add(id);
  }

  /**
   * A copy was ruled on.
   *
   * @param otherPayload whether it asked for something else after the request was decided
   * @param ran the runs that it made
   */
  synchronized void told(GuardedId id, Ruling ruling, boolean otherPayload, List<String> ran) {
    if (ruling instanceof Ruling.Replied replied) {
      if (otherPayload) {
        violated(id, "another payload was given " + replied.reply());
      }
      Reply before = told.putIfAbsent(id, replied.reply());
      if (before != null && !before.equals(replied.reply())) {
        violated(id, "was told " + before + " and then " + replied.reply());
      }
    } else if (ruling instanceof Ruling.Refused refused) {
      boolean expected =
          switch (refused.refusal()) {
            case MISMATCH -> otherPayload;
            case ABANDONED -> maybeClosed.contains(id);
            case FORGOTTEN -> swept && id.key().isDated();
            default -> false;
          };
      if (!expected) {
        violated(id, "was refused as " + refused.refusal() + " for no reason");
      }
    } else if (ruling instanceof Ruling.DidNotHappen) {
      denied.addAll(ran);
    }
  }

  /** At the end: what stands is what was told, and the table of effects agrees. */
  synchronized void stands(GuardedId id, GuardedOutcome outcome, List<String> effects) {
    Reply reply = told.get(id);
    boolean fits;
    if (outcome instanceof GuardedOutcome.Executed executed) {
      Reply stands = executed.reply();
      fits = (reply == null || reply.equals(stands)) && effects.equals(effectsOf(id, stands));
    } else if (outcome instanceof GuardedOutcome.NoRecordSince) {
      fits =
          swept
              && id.key().isDated()
              && (reply == null ? effects.size() <= 1 : effects.equals(effectsOf(id, reply)))
              && (effects.isEmpty() || !closed.contains(id));
    } else if (outcome instanceof GuardedOutcome.Abandoned) {
      fits = maybeClosed.contains(id) && reply == null && effects.isEmpty();
    } else {
      fits = reply == null && effects.isEmpty() && !closed.contains(id);
    }
    if (!fits || closed.contains(id) && outcome instanceof GuardedOutcome.Executed) {
      violated(id, "stands as " + outcome + ", was told " + reply + ", did " + effects);
    }
    for (String effect : effects) {
      if (denied.contains(effect)) {
        violated(id, "did " + effect + ", and its copy was told that it did not happen");
      }
    }
  }

  /** What the table has to hold after this reply; nothing fits a reply that no run gave. */
  private static List<String> effectsOf(GuardedId id, Reply reply) {
    String run = reply.bytes().asText();
    return !run.startsWith(TransactionTraffic.prefix(id))
        ? List.of("of another request: " + reply)
        : reply.kind() == Reply.Kind.OK ? List.of(run) : List.of();
  }
}
