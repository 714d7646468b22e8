package io.onceward.testkit.guards;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A good store, but for one mistake. */
public final class BuggyStore implements ClaimStore {
  /** How many may have been unknown before {@link StoreBug#KEEPS_THE_ROOM_OF_THE_UNKNOWN} shows. */
  private static final int ROOM = 3;

  private final ClaimStore store;
  private final StoreBug bug;

  /** Requests that run again do so under another key. */
  private final Map<GuardedId, GuardedId> again = new ConcurrentHashMap<>();

  /** Runs that did not know what they did. */
  private final Set<String> everUnknown = ConcurrentHashMap.newKeySet();

  private volatile Reply someReply = Reply.FAILED;

  public BuggyStore(ClaimStore store, StoreBug bug) {
    this.store = store;
    this.bug = bug;
  }

  private boolean has(StoreBug planted) {
    return bug == planted;
  }

  private GuardedId seen(GuardedId id) {
    GuardedId one = again.getOrDefault(id, id);
    if (has(StoreBug.IGNORES_SCOPES)) {
      return new GuardedId(one.principal(), Scope.NONE, one.key());
    }
    return has(StoreBug.IGNORES_PRINCIPALS) ? new GuardedId("", one.scope(), one.key()) : one;
  }

  private Ask seen(Ask ask) {
    return new Ask(
        seen(ask.id()),
        has(StoreBug.IGNORES_FINGERPRINTS) ? null : ask.fingerprint(),
        ask.operation(),
        ask.memo());
  }

  private Claimed anew(Ask ask, ClaimTerms terms) {
    again.put(ask.id(), GuardedId.of(Key.text("again " + ask.id())));
    return store.claim(seen(ask), terms);
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    Claimed claimed = store.claim(seen(ask), terms);
    if (claimed instanceof Claimed.Started started) {
      if (everUnknown.size() > ROOM) {
        store.release(seen(ask.id()), started.fence());
        return new Claimed.Refused(Refusal.OVERLOADED);
      }
      if (has(StoreBug.REPEATS_FENCES)) {
        return new Claimed.Started(1);
      }
    }
    if (claimed instanceof Claimed.Unknown
        && has(StoreBug.FORGETS_THE_UNKNOWN)
        && ask.id().key().isDated()) {
      return new Claimed.Refused(Refusal.FORGOTTEN);
    }
    boolean first = !again.containsKey(ask.id());
    if (claimed instanceof Claimed.Unknown unknown && has(StoreBug.RUNS_LAPSED_AGAIN)) {
      return store.rerun(seen(ask), unknown.request().fence(), terms);
    }
    if (claimed instanceof Claimed.Running && has(StoreBug.STARTS_TWICE)) {
      return new Claimed.Started(1);
    }
    if (claimed instanceof Claimed.Done done) {
      if (has(StoreBug.RUNS_DECIDED_AGAIN) && first) {
        return anew(ask, terms);
      }
      if (has(StoreBug.CHANGES_THE_KIND) && done.reply().kind() == Reply.Kind.BUSINESS_ERROR) {
        return new Claimed.Done(Reply.ok(done.reply().bytes()));
      }
      if (has(StoreBug.TELLS_OTHERS_REPLY)) {
        return new Claimed.Done(someReply);
      }
    }
    if (claimed instanceof Claimed.Refused refused && first) {
      boolean runs =
          switch (refused.refusal()) {
            case ACKNOWLEDGED -> has(StoreBug.RUNS_ACKNOWLEDGED_AGAIN);
            case FORGOTTEN -> has(StoreBug.RUNS_FORGOTTEN_AGAIN);
            case ABANDONED -> has(StoreBug.RUNS_ABANDONED);
            default -> false;
          };
      return runs ? anew(ask, terms) : claimed;
    }
    if (claimed instanceof Claimed.Started started
        && has(StoreBug.CALLS_THE_NEW_FORGOTTEN)
        && started.fence() == 1
        && !ask.id().key().isDated()) {
      store.release(seen(ask.id()), 1);
      return new Claimed.Refused(Refusal.FORGOTTEN);
    }
    return claimed;
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    return store.rerun(seen(ask), fence, terms);
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    GuardedId seen = seen(id);
    if (has(StoreBug.FORGETS_COMPLETIONS)) {
      return true;
    }
    GuardedOutcome now = store.outcome(seen);
    if (now instanceof GuardedOutcome.Unknown unknown) {
      if (has(StoreBug.RELEASES_ON_LATE_COMPLETION)) {
        return store.release(seen, fence);
      }
      if (has(StoreBug.IGNORES_FENCES)) {
        return store.done(seen, unknown.request().fence(), Reply.ok("fence " + fence));
      }
    }
    Bytes bytes = reply.bytes();
    boolean cuts = has(StoreBug.CUTS_REPLIES) && bytes.length() > 0;
    boolean taken =
        store.done(
            seen,
            fence,
            cuts
                ? new Reply(reply.kind(), Bytes.of(bytes.toArray(), 0, bytes.length() - 1))
                : reply);
    someReply = reply;
    return taken;
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    if (has(StoreBug.KEEPS_THE_ROOM_OF_THE_UNKNOWN)) {
      everUnknown.add(id + " " + fence);
    }
    return has(StoreBug.RELEASES_THE_UNKNOWN)
        ? store.release(seen(id), fence)
        : store.unknown(seen(id), fence, why);
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    return has(StoreBug.FORGETS_RELEASES) || store.release(seen(id), fence);
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    return store.unknowns(atMost);
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    return store.evidence(seen(id));
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    GuardedOutcome outcome = store.outcome(seen(id));
    return has(StoreBug.DENIES_OUTCOMES) && outcome instanceof GuardedOutcome.Executed
        ? new GuardedOutcome.NeverSeen()
        : outcome;
  }

  @Override
  public GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    GuardedAbandonment closed = new GuardedAbandonment.Closed(id.key().isDated());
    if (has(StoreBug.FORGETS_ABANDONMENTS)) {
      return closed;
    }
    GuardedAbandonment answer = store.abandon(seen(id), retentionMillis);
    if (answer instanceof GuardedAbandonment.Undecided undecided) {
      StoreBug planted =
          undecided.now() instanceof GuardedOutcome.Running
              ? StoreBug.CLOSES_THE_RUNNING
              : StoreBug.CLOSES_THE_UNKNOWN;
      return has(planted) ? closed : answer;
    }
    return answer instanceof GuardedAbandonment.Executed && has(StoreBug.CLOSES_THE_EXECUTED)
        ? closed
        : answer;
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    return store.acknowledge(seen(id));
  }

  @Override
  public int sweep(int atMost) {
    return has(StoreBug.NEVER_SWEEPS) ? 0 : store.sweep(atMost);
  }

  @Override
  public int maxReplyBytes() {
    return store.maxReplyBytes();
  }

  @Override
  public Durability durability() {
    return store.durability();
  }

  @Override
  public void close() {
    store.close();
  }
}
