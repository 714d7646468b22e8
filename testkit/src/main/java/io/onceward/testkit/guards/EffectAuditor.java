package io.onceward.testkit.guards;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows what took effect outside and what everybody was told of it, and finds what does not fit.
 * Shares nothing with guards and stores but the ids. Thread-safe.
 */
final class EffectAuditor {
  /** All about one request. */
  private static final class Books {
    /** The replies of the runs that took effect, in the order in which they did. */
    final List<Reply> effects = new ArrayList<>();

    final List<Reply> businessErrors = new ArrayList<>();
    @Nullable Reply told;
    int firstHand;
    int inFlight;
    int inside;
    boolean closed;
    boolean maybeClosed;
    boolean mayBeUnknown;
    boolean acknowledged;

    /** Nobody knows its fate, and nobody has looked into it since. */
    boolean unresolved;

    /** Grows whenever a finding begins, or may have arrived. */
    int findings;

    int findingsUnderWay;
    long fence;
  }

  private final Map<GuardedId, Books> books = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private int leasesMayEnd;

  private Books of(GuardedId id) {
    return books.computeIfAbsent(id, any -> new Books());
  }

  private void violated(GuardedId id, String what) {
    violations.add(id + ": " + what);
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  // ---- what happens ---------------------------------------------------------------------------

  synchronized void enters(GuardedId id) {
    Books its = of(id);
    its.inside++;
    its.mayBeUnknown |= leasesMayEnd > 0;
  }

  synchronized void leaves(GuardedId id) {
    Books its = of(id);
    its.inside--;
    // Its probe may have found out something.
    its.findings++;
  }

  synchronized void began(GuardedId id, long fence) {
    Books its = of(id);
    if (fence <= its.fence) {
      violated(id, "runs under fence " + fence + " after " + its.fence);
    }
    its.fence = fence;
    if (its.unresolved) {
      violated(id, "ran while it was unknown");
    }
    if (its.closed) {
      violated(id, "ran after it was closed");
    }
    if (its.told != null) {
      violated(id, "ran after it was decided as " + its.told);
    }
    if (++its.inFlight > 1) {
      violated(id, "runs twice at a time");
    }
  }

  synchronized void ended(GuardedId id) {
    of(id).inFlight--;
  }

  synchronized void happened(GuardedId id, Reply reply) {
    Books its = of(id);
    its.effects.add(reply);
    if (its.effects.size() > 1) {
      violated(id, "took effect " + its.effects.size() + " times");
    }
  }

  synchronized void refusesItself(GuardedId id, Reply error) {
    of(id).businessErrors.add(error);
  }

  /** Time passes from here on; whatever is running may outlive its lease. */
  synchronized void leasesMayEnd() {
    leasesMayEnd++;
    for (Books its : books.values()) {
      its.mayBeUnknown |= its.inside > 0;
    }
  }

  synchronized void timeHasPassed() {
    leasesMayEnd--;
  }

  synchronized void isInDoubt(GuardedId id) {
    of(id).mayBeUnknown = true;
  }

  /** From now on it may be closed; whether it is, {@link #closed} says. */
  synchronized void isBeingClosed(GuardedId id) {
    of(id).maybeClosed = true;
  }

  synchronized void closed(GuardedId id) {
    Books its = of(id);
    its.closed = true;
    if (!its.effects.isEmpty() || its.inFlight > 0 || its.told != null) {
      violated(id, "was closed, but it executed, or may");
    }
  }

  /** By the only copy on its way, which takes what it finds into account before it leaves. */
  synchronized void wasLookedInto(GuardedId id) {
    Books its = of(id);
    its.findings++;
    its.unresolved = false;
  }

  /** An operator begins; the finding arrives at any time from here on. */
  synchronized void isBeingResolved(GuardedId id) {
    wasLookedInto(id);
    of(id).findingsUnderWay++;
  }

  /** The store has answered: no finding of this operator arrives any more. */
  synchronized void findingArrived(GuardedId id) {
    Books its = of(id);
    its.findingsUnderWay--;
    its.findings++;
  }

  /** The copy that made it happen is told that it did not. */
  synchronized void denied(GuardedId id) {
    violated(id, "happened, and its own copy was told that it did not");
  }

  /** Something that came from a run before the current one was taken. */
  synchronized void oldFenceWasTaken(GuardedId id) {
    violated(id, "took the completion of an old run");
  }

  synchronized void outlivedItsRetention(GuardedId id) {
    violated(id, "is past its retention, and no sweep drops it");
  }

  synchronized void acknowledged(GuardedId id) {
    of(id).acknowledged = true;
  }

  // ---- what is known --------------------------------------------------------------------------

  /** The reply of its effect, or null if there was none. */
  synchronized @Nullable Reply effect(GuardedId id) {
    Books its = of(id);
    return its.effects.isEmpty() ? null : its.effects.get(0);
  }

  /** Of the last run, or 0. */
  synchronized long fence(GuardedId id) {
    return of(id).fence;
  }

  synchronized int findings(GuardedId id) {
    return of(id).findings;
  }

  /** Whether a copy is on its way, which may run at any time. */
  synchronized boolean isInside(GuardedId id) {
    return of(id).inside > 0;
  }

  /** Whether exactly one copy is on its way. */
  synchronized boolean isAloneInside(GuardedId id) {
    return of(id).inside == 1;
  }

  synchronized boolean wasTold(GuardedId id) {
    return of(id).told != null;
  }

  // ---- what is told ---------------------------------------------------------------------------

  /**
   * A copy was ruled on.
   *
   * @param findings what {@link #findings} was when it came
   * @param otherPayload whether it asked for something else under this id, after it was decided
   * @param dropped whether records may be gone
   * @param troubled whether the store may be away
   */
  synchronized void told(
      GuardedId id,
      Ruling ruling,
      int findings,
      boolean otherPayload,
      boolean dropped,
      boolean troubled) {
    Books its = of(id);
    if (ruling instanceof Ruling.Unknown) {
      // No other copy may still complete it, and no operator has looked into it meanwhile.
      its.unresolved |=
          !troubled && its.inside == 1 && its.findingsUnderWay == 0 && its.findings == findings;
    } else if (its.unresolved
        && (ruling instanceof Ruling.Replied || ruling instanceof Ruling.Refused)) {
      violated(id, "was unknown, nobody looked into it, and now it is " + ruling);
    }
    if (ruling instanceof Ruling.Replied replied) {
      if (otherPayload) {
        violated(id, "another payload was given " + replied.reply());
      }
      reply(id, its, replied.reply());
      its.firstHand += replied.replay() ? 0 : 1;
      if (its.firstHand > 1) {
        violated(id, "two copies were told that they were the first");
      }
    } else if (ruling instanceof Ruling.Refused refused) {
      refused(id, its, refused.refusal(), otherPayload, dropped);
    } else if (ruling instanceof Ruling.Unknown && !its.mayBeUnknown && !troubled) {
      violated(id, "is unknown for no reason: " + ruling);
    } else if (ruling instanceof Ruling.NoStore && !troubled) {
      violated(id, "there was no store: " + ruling);
    }
  }

  private void reply(GuardedId id, Books its, Reply reply) {
    if (its.told != null && !its.told.equals(reply)) {
      violated(id, "was told " + its.told + " and then " + reply);
    }
    its.told = reply;
    if (its.closed) {
      violated(id, "was closed and then told as " + reply);
    }
    boolean known = its.effects.contains(reply) || its.businessErrors.contains(reply);
    if (!known) {
      violated(id, "nothing that happened answered " + reply);
    }
  }

  private void refused(
      GuardedId id, Books its, Refusal refusal, boolean otherPayload, boolean dropped) {
    boolean expected =
        switch (refusal) {
          case MISMATCH -> otherPayload;
          case ABANDONED -> its.maybeClosed;
          case ACKNOWLEDGED -> its.acknowledged;
          case FORGOTTEN -> dropped && id.key().isDated();
          default -> false;
        };
    if (!expected) {
      violated(id, "was refused as " + refusal + " for no reason");
    }
  }

  /** At the end, when nothing is under way and everything that was unknown is resolved. */
  synchronized void stands(GuardedId id, GuardedOutcome outcome, boolean dropped) {
    Books its = of(id);
    boolean fits;
    if (outcome instanceof GuardedOutcome.Executed executed) {
      reply(id, its, executed.reply());
      fits = its.effects.size() == (executed.reply().kind() == Reply.Kind.OK ? 1 : 0);
    } else if (outcome instanceof GuardedOutcome.Acknowledged) {
      fits = its.acknowledged;
    } else if (outcome instanceof GuardedOutcome.NoRecordSince) {
      // What is unknown is never dropped.
      fits = dropped && !its.unresolved;
    } else if (outcome instanceof GuardedOutcome.Abandoned) {
      fits = its.maybeClosed && its.effects.isEmpty();
    } else {
      fits = its.effects.isEmpty() && its.told == null && !its.closed;
    }
    if (!fits) {
      violated(id, "stands as " + outcome + " after the effects " + its.effects);
    }
  }
}
