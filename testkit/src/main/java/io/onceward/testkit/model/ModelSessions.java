package io.onceward.testkit.model;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every session there is, judged rule by rule (S1-S9). */
final class ModelSessions {
  private static final long STEP_MILLIS = 1_024;

  private final Accounts accounts;
  private final TreeMap<Long, ModelSession> sessions = new TreeMap<>();
  private long age;

  ModelSessions(Accounts accounts) {
    this.accounts = accounts;
  }

  /** Drops what has been idle for too long, before the entry's requests (S7). */
  void expire(long nowAge) {
    age = nowAge;
    List<ModelSession> due = new ArrayList<>();
    for (ModelSession session : sessions.values()) {
      long timeout = accounts.of(timeoutOf(session));
      if (age / STEP_MILLIS > (session.activeAge + timeout) / STEP_MILLIS) {
        due.add(session);
      }
    }
    due.forEach(this::drop);
  }

  private static Parameter timeoutOf(ModelSession session) {
    return session.kind == ClientKind.DURABLE
        ? Parameter.DURABLE_EXPIRY_MILLIS
        : Parameter.SESSION_EXPIRY_MILLIS;
  }

  /** A session is due when it was going to be, or the new time-out after now, if that is less. */
  void timeoutChanges(Parameter parameter, long before, long now) {
    for (ModelSession session : sessions.values()) {
      if (timeoutOf(session) == parameter && now < before) {
        session.activeAge = Math.min(session.activeAge + before, age + now) - now;
      }
    }
  }

  private void drop(ModelSession session) {
    sessions.remove(session.session);
    releaseAll(session);
    session.owner.sessions--;
    accounts.take(session.owner, -session.bytes());
  }

  private void remember(ModelSession session, long sequence, Memo memo) {
    accounts.take(session.owner, reach(session, sequence) + replyBytes(memo));
    session.memos.put(sequence, memo);
  }

  /** Every sequence up to the highest decided one is paid for, holes too. */
  private static long reach(ModelSession session, long sequence) {
    return Math.max(0, sequence + 1 - session.nextSequence()) * Accounts.SEQUENCE;
  }

  private void releaseAll(ModelSession session) {
    long sequences = session.nextSequence() - session.watermark;
    accounts.take(session.owner, -sequences * Accounts.SEQUENCE);
    session.memos.values().forEach(memo -> accounts.take(session.owner, -replyBytes(memo)));
  }

  private static long replyBytes(Memo memo) {
    return memo instanceof Memo.Executed executed ? executed.reply().bytes().length() : 0;
  }

  // Opening.

  Decision open(Owner owner, Request.Open open, long incarnation, long clusterTag) {
    ModelSession found = find(owner, open);
    if (found != null && found.openedBy(open)) {
      found.activeAge = age;
      return found.opened();
    }
    boolean named = open.kind() != ClientKind.REGISTERED;
    if (named && open.predecessor() != 0 && (found == null || open.clusterTag() != clusterTag)) {
      return new Decision.Refused(Refusal.NO_SESSION);
    }
    if (found != null && open.predecessor() != found.incarnation) {
      return new Decision.Refused(Refusal.SUPERSEDED);
    }
    long most = accounts.of(Parameter.MAX_WINDOW);
    long window =
        open.window() == 0 ? Math.min(most, accounts.of(Parameter.DEFAULT_WINDOW)) : open.window();
    boolean inherits = found != null && found.kind == ClientKind.DURABLE;
    if (window > most && !inherits) {
      return new Decision.Refused(Refusal.TOO_LARGE, "window");
    }
    if (found != null) {
      succeed(found, open, incarnation, (int) window);
      return found.opened();
    }
    ModelSession fresh = new ModelSession(owner, open, incarnation, (int) window);
    if (owner.sessions >= accounts.of(Parameter.MAX_SESSIONS_PER_PRINCIPAL)) {
      return new Decision.Refused(Refusal.OVERLOADED, "sessions per principal");
    }
    String limit = accounts.limitFor(owner, fresh.bytes());
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    fresh.activeAge = age;
    sessions.put(fresh.session, fresh);
    owner.sessions++;
    accounts.take(owner, fresh.bytes());
    return fresh.opened();
  }

  private @Nullable ModelSession find(Owner owner, Request.Open open) {
    for (ModelSession session : sessions.values()) {
      boolean same =
          open.kind() == ClientKind.REGISTERED
              ? session.openedBy(open)
              : session.name.equals(open.name());
      if (session.owner == owner && session.kind == open.kind() && same) {
        return session;
      }
    }
    return null;
  }

  private void succeed(ModelSession session, Request.Open open, long incarnation, int window) {
    session.pass(open.fromJournal());
    session.take(open, incarnation);
    session.activeAge = age;
    if (session.kind == ClientKind.AUTO) {
      releaseAll(session);
      session.memos.clear();
      session.watermark = 1;
      session.window = window;
      session.ordered = open.ordered();
    } else if (!open.fromJournal()) {
      for (long hole = session.frontier(); hole < session.nextSequence(); hole++) {
        if (!session.memos.containsKey(hole)) {
          remember(session, hole, new Memo.Abandoned());
        }
      }
    }
  }

  // Speaking.

  /** Why this address may not speak, or null (S4, L3). */
  @Nullable Refusal fence(Owner owner, Request.Address address, long clusterTag) {
    ModelSession session = sessions.get(address.session());
    if (address.clusterTag() != clusterTag || session == null || session.owner != owner) {
      return Refusal.NO_SESSION;
    }
    if (address.incarnation() == session.incarnation) {
      session.activeAge = age;
      return null;
    }
    return address.incarnation() < session.incarnation ? Refusal.SUPERSEDED : Refusal.NO_SESSION;
  }

  private ModelSession fenced(Request.Address address) {
    ModelSession session = sessions.get(address.session());
    if (session == null) {
      throw new IllegalStateException("not fenced: " + address);
    }
    return session;
  }

  /** False if the watermark passes something undecided; otherwise it has moved (S5). */
  private boolean carry(ModelSession session, long watermark) {
    if (watermark > session.frontier()) {
      return false;
    }
    while (session.watermark < watermark) {
      Memo taken = session.memos.remove(session.watermark);
      if (taken == null) {
        throw new IllegalStateException("an undecided sequence was passed");
      }
      accounts.take(session.owner, -Accounts.SEQUENCE - replyBytes(taken));
      session.watermark++;
    }
    return true;
  }

  Decision ask(Request.InSession ask, long position, long timeMillis, Supplier<Reply> service) {
    ModelSession session = fenced(ask.address());
    if (ask.watermark() > ask.sequence() || !carry(session, ask.watermark())) {
      return new Decision.Refused(Refusal.BAD_WATERMARK);
    }
    Refusal outside = outside(session, ask.sequence());
    if (outside != null) {
      return new Decision.Refused(outside);
    }
    Memo memo = session.memos.get(ask.sequence());
    if (memo instanceof Memo.Executed executed) {
      return executed.judge(ask.fingerprint());
    }
    if (memo != null) {
      return new Decision.Refused(Refusal.ABANDONED);
    }
    if (session.ordered && ask.sequence() > session.frontier()) {
      return new Decision.Refused(Refusal.OUT_OF_ORDER);
    }
    if (ask.command().length() > accounts.of(Parameter.MAX_COMMAND_BYTES)) {
      return new Decision.Refused(Refusal.TOO_LARGE, "command");
    }
    long cost = reach(session, ask.sequence());
    String limit = accounts.limitFor(session.owner, cost, ask.command());
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    accounts.executed(ask.command());
    Reply reply = service.get();
    remember(
        session, ask.sequence(), new Memo.Executed(reply, ask.fingerprint(), position, timeMillis));
    return new Decision.Replied(reply, false, position, timeMillis);
  }

  private static @Nullable Refusal outside(ModelSession session, long sequence) {
    if (sequence < session.watermark || !session.owns(session.incarnation, sequence)) {
      return Refusal.ACKNOWLEDGED;
    }
    return sequence >= session.watermark + session.window ? Refusal.WINDOW_EXCEEDED : null;
  }

  Decision keepAlive(Request.KeepAlive ask) {
    return carry(fenced(ask.address()), ask.watermark())
        ? new Decision.Done()
        : new Decision.Refused(Refusal.BAD_WATERMARK);
  }

  Decision close(Request.Close ask) {
    drop(fenced(ask.address()));
    return new Decision.Done();
  }

  Decision abandon(Request.AbandonSequence ask) {
    ModelSession session = fenced(ask.address());
    Refusal outside = outside(session, ask.sequence());
    if (outside != null) {
      return new Decision.Refused(outside);
    }
    Memo memo = session.memos.get(ask.sequence());
    if (memo instanceof Memo.Executed executed) {
      return executed.replay();
    }
    if (memo == null) {
      String limit = accounts.limitForClosing(session.owner, reach(session, ask.sequence()));
      if (!limit.isEmpty()) {
        return new Decision.Refused(Refusal.OVERLOADED, limit);
      }
      remember(session, ask.sequence(), new Memo.Abandoned());
    }
    return new Decision.Abandoned(true);
  }

  /** All sessions in the order in which they were opened. */
  List<Replica.SessionView> views() {
    List<Replica.SessionView> views = new ArrayList<>();
    for (ModelSession session : sessions.values()) {
      views.add(
          new Replica.SessionView(
              session.kind,
              session.owner.name,
              session.name,
              session.session,
              session.incarnation,
              session.watermark,
              session.nextSequence(),
              session.window,
              session.ordered,
              age - session.activeAge));
    }
    return views;
  }

  /** Nobody is told of a sequence that it may not have used itself (S4). */
  Outcome outcome(Owner owner, Request.Address address, long sequence) {
    ModelSession session = sessions.get(address.session());
    if (session == null
        || session.owner != owner
        || !session.owns(address.incarnation(), sequence)) {
      return new Outcome.NoSession();
    }
    if (sequence < session.watermark) {
      return new Outcome.Acknowledged();
    }
    Memo memo = session.memos.get(sequence);
    if (memo == null) {
      return new Outcome.NeverSeen();
    }
    return memo instanceof Memo.Executed executed ? executed.outcome() : new Outcome.Abandoned();
  }
}
