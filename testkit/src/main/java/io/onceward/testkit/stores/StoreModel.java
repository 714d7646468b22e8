package io.onceward.testkit.stores;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@link ClaimStore} says, told again as simply as can be: one map, no time, no threads. Time
 * is told to it in two words, "every short lease is over" and "every short retention is over".
 */
final class StoreModel {
  private static final class Entry {
    final @Nullable Fingerprint fingerprint;
    String state = "STARTED";
    long fence;
    boolean shortLease;
    boolean shortRetention;
    long startedOrder;
    long closedOrder;
    @Nullable Reply reply;
    final List<String> evidence = new ArrayList<>();

    Entry(@Nullable Fingerprint fingerprint) {
      this.fingerprint = fingerprint;
    }

    boolean isClosed() {
      return state.equals("ACKNOWLEDGED") || state.equals("ABANDONED");
    }

    boolean isOpen() {
      return state.equals("STARTED") || state.equals("UNKNOWN");
    }
  }

  private final Map<GuardedId, Entry> entries = new LinkedHashMap<>();
  private long horizonMicros = Long.MIN_VALUE;
  private boolean undatedWereDropped;
  private long undatedFence = -1;
  private long order;

  /**
   * A claim.
   *
   * @param answered by the store, which has a choice of fences for a first run
   */
  String claim(Ask ask, boolean shortLease, boolean shortRetention, Claimed answered) {
    Entry entry = entries.get(ask.id());
    if (entry == null) {
      if (ask.id().key().isDated() && ask.id().key().dateMicros() <= horizonMicros) {
        return "refused FORGOTTEN";
      }
      entry = new Entry(ask.fingerprint());
      entries.put(ask.id(), entry);
      entry.startedOrder = ++order;
      entry.fence = firstFence(ask.id().key(), answered) - 1;
      return start(entry, shortLease, shortRetention);
    }
    if (entry.isClosed()) {
      return "refused " + entry.state;
    }
    if (!matches(entry, ask)) {
      return "refused MISMATCH";
    }
    return switch (entry.state) {
      case "STARTED" -> "running";
      case "DONE" -> "done " + entry.reply;
      case "UNKNOWN" -> "unknown " + entry.fence;
      default -> {
        entry.startedOrder = ++order;
        yield start(entry, shortLease, shortRetention);
      }
    };
  }

  /** Greater than that of any undated run which may still be about, and of a re-run of it. */
  private long firstFence(Key key, Claimed answered) {
    long least = key.isDated() ? 1 : undatedFence + 2;
    return undatedWereDropped && answered instanceof Claimed.Started started
        ? Math.max(least, started.fence())
        : least;
  }

  String rerun(Ask ask, long fence, boolean shortLease, boolean shortRetention, Claimed answered) {
    Entry entry = entries.get(ask.id());
    return entry != null
            && matches(entry, ask)
            && entry.state.equals("UNKNOWN")
            && entry.fence == fence
        ? start(entry, shortLease, shortRetention)
        : claim(ask, shortLease, shortRetention, answered);
  }

  private static String start(Entry entry, boolean shortLease, boolean shortRetention) {
    entry.state = "STARTED";
    entry.fence++;
    entry.shortLease = shortLease;
    entry.shortRetention = shortRetention;
    return "started " + entry.fence;
  }

  private static boolean matches(Entry entry, Ask ask) {
    return ask.fingerprint() == null || ask.fingerprint().equals(entry.fingerprint);
  }

  boolean done(GuardedId id, long fence, Reply reply) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return false;
    }
    if (entry.isOpen() && entry.fence == fence) {
      close(entry, "DONE");
      entry.reply = reply;
      return true;
    }
    boolean decided = entry.state.equals("DONE") || entry.state.equals("ACKNOWLEDGED");
    if (decided && reply.equals(entry.reply) && entry.fence == fence) {
      return true;
    }
    entry.evidence.add(fence + " " + reply.bytes().asText());
    return false;
  }

  boolean unknown(GuardedId id, long fence) {
    Entry entry = entries.get(id);
    if (entry == null || !entry.isOpen() || entry.fence != fence) {
      return false;
    }
    entry.state = "UNKNOWN";
    return true;
  }

  boolean release(GuardedId id, long fence) {
    Entry entry = entries.get(id);
    if (entry == null || entry.fence != fence) {
      return false;
    }
    if (entry.isOpen()) {
      close(entry, "RELEASED");
    }
    return entry.state.equals("RELEASED");
  }

  String outcome(GuardedId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      boolean gone =
          id.key().isDated() ? id.key().dateMicros() <= horizonMicros : undatedWereDropped;
      return gone ? "no record since" : "never seen";
    }
    return switch (entry.state) {
      case "DONE" -> "executed " + entry.reply;
      case "RELEASED" -> "did not happen";
      case "UNKNOWN" -> "unknown " + entry.fence;
      default -> entry.state;
    };
  }

  String abandon(GuardedId id, boolean shortRetention) {
    Entry entry = entries.get(id);
    boolean unseen = entry == null && outcome(id).equals("never seen");
    boolean undated = entry == null && !id.key().isDated();
    if (unseen || undated) {
      entry = new Entry(null);
      entries.put(id, entry);
      entry.state = "RELEASED";
    }
    if (entry != null && entry.state.equals("RELEASED")) {
      entry.shortRetention = shortRetention;
      close(entry, "ABANDONED");
    }
    return outcome(id);
  }

  boolean acknowledge(GuardedId id) {
    Entry entry = entries.get(id);
    if (entry == null || !entry.state.equals("DONE")) {
      return false;
    }
    entry.state = "ACKNOWLEDGED";
    return true;
  }

  private void close(Entry entry, String state) {
    entry.state = state;
    entry.closedOrder = ++order;
  }

  void shortLeasesEnd() {
    for (Entry entry : entries.values()) {
      if (entry.state.equals("STARTED") && entry.shortLease) {
        entry.state = "UNKNOWN";
      }
    }
  }

  /** Drops those whose retention is over, if all short ones are. */
  int sweep(int atMost) {
    int dropped = 0;
    while (dropped < atMost) {
      GuardedId first = null;
      Entry due = null;
      for (Map.Entry<GuardedId, Entry> each : entries.entrySet()) {
        Entry entry = each.getValue();
        if (!entry.isOpen()
            && entry.shortRetention
            && (due == null || entry.closedOrder < due.closedOrder)) {
          first = each.getKey();
          due = entry;
        }
      }
      if (first == null) {
        return dropped;
      }
      entries.remove(first);
      if (first.key().isDated()) {
        horizonMicros = Math.max(horizonMicros, first.key().dateMicros());
      } else {
        undatedWereDropped = true;
        undatedFence = Math.max(undatedFence, due.fence);
      }
      dropped++;
    }
    return dropped;
  }

  List<String> unknowns() {
    return entries.entrySet().stream()
        .filter(each -> each.getValue().state.equals("UNKNOWN"))
        .sorted((a, b) -> Long.compare(a.getValue().startedOrder, b.getValue().startedOrder))
        .map(each -> inQueue(each.getKey(), each.getValue().fence))
        .toList();
  }

  /** By the bits of the key: of a text key, a store need only keep the digest. */
  static String inQueue(GuardedId id, long fence) {
    Key key = id.key();
    return Key.of(key.kind(), key.high(), key.low()) + " " + fence;
  }

  List<String> evidence(GuardedId id) {
    Entry entry = entries.get(id);
    return entry == null ? List.of() : entry.evidence;
  }

  /** The fence that is current, or 1: something to talk about. */
  long fence(GuardedId id) {
    Entry entry = entries.get(id);
    return entry == null ? 1 : entry.fence;
  }

  /** What a store knows, in the words of this model. */
  static String inWords(GuardedOutcome outcome) {
    if (outcome instanceof GuardedOutcome.Executed executed) {
      return "executed " + executed.reply();
    }
    if (outcome instanceof GuardedOutcome.Acknowledged) {
      return "ACKNOWLEDGED";
    }
    if (outcome instanceof GuardedOutcome.Abandoned) {
      return "ABANDONED";
    }
    if (outcome instanceof GuardedOutcome.Running) {
      return "STARTED";
    }
    if (outcome instanceof GuardedOutcome.Unknown unknown) {
      return "unknown " + unknown.request().fence();
    }
    if (outcome instanceof GuardedOutcome.DidNotHappen) {
      return "did not happen";
    }
    if (outcome instanceof GuardedOutcome.NoRecordSince) {
      return "no record since";
    }
    return outcome instanceof GuardedOutcome.NeverSeen ? "never seen" : outcome.toString();
  }

  /** What an abandon came to, in the words of this model. */
  static String inWords(GuardedAbandonment abandonment) {
    if (abandonment instanceof GuardedAbandonment.Executed executed) {
      return "executed " + executed.reply();
    }
    if (abandonment instanceof GuardedAbandonment.Closed) {
      return "ABANDONED";
    }
    if (abandonment instanceof GuardedAbandonment.Undecided undecided) {
      return inWords(undecided.now());
    }
    Refusal refusal = ((GuardedAbandonment.Refused) abandonment).refusal();
    return refusal == Refusal.FORGOTTEN ? "no record since" : refusal.toString();
  }

  /** A store's answer in the words of this model. */
  static String inWords(Claimed claimed) {
    if (claimed instanceof Claimed.Started started) {
      return "started " + started.fence();
    }
    if (claimed instanceof Claimed.Done done) {
      return "done " + done.reply();
    }
    if (claimed instanceof Claimed.Unknown unknown) {
      return "unknown " + unknown.request().fence();
    }
    if (claimed instanceof Claimed.Refused refused) {
      return "refused " + refused.refusal();
    }
    return "running";
  }
}
