package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import io.onceward.replica.Limits;
import io.onceward.services.ClaimRecord.State;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One store of the claims service: what {@link ClaimStore} says, step by step, with age for leases
 * and retention, and log time for dates.
 */
final class ClaimTable {
  /** How far ahead of log time the date of a key may be (K5). */
  private static final long FUTURE_MICROS = TimeUnit.MINUTES.toMicros(5);

  /** A page of unknown requests ends with the one that passes this. */
  private static final int PAGE_CHARACTERS = ServiceLimits.LIST_BYTES / 4;

  /** Log time and age, as of the command that is executed. */
  record Now(long millis, long age) {}

  private final ClaimRoom room;
  private final ClaimRoom.Share share;
  private final ClaimRecords records;

  /** The scopes that accept dated keys only, by name (K5). */
  private final TreeSet<String> datedOnly = new TreeSet<>();

  ClaimTable(ClaimRoom room, ClaimRoom.Name name) {
    this.room = room;
    this.share = room.share(name.principal());
    this.records = new ClaimRecords(room, name, share);
  }

  // ---- steps ----------------------------------------------------------------------------------

  ClaimReply claim(Ask ask, ClaimTerms terms, Now now) {
    ClaimRecord known = records.get(ask.id());
    return known == null ? first(ask, terms, now) : tell(known, ask, terms, now);
  }

  ClaimReply rerun(Ask ask, long fence, ClaimTerms terms, Now now) {
    ClaimRecord known = records.get(ask.id());
    return known != null && mayRunAgain(known, ask, fence, now)
        ? startAgain(known, known.place(), ask, terms, now)
        : claim(ask, terms, now);
  }

  private static boolean mayRunAgain(ClaimRecord known, Ask ask, long fence, Now now) {
    return known.matches(ask) && known.fence() == fence && known.isUnknown(now.age());
  }

  private ClaimReply first(Ask ask, ClaimTerms terms, Now now) {
    Key key = ask.id().key();
    Refusal unjudgeable = unjudgeable(key, now);
    if (unjudgeable != null) {
      return new ClaimReply.Refused(unjudgeable, "");
    }
    if (mustBeKnown(ask.id())) {
      return new ClaimReply.Refused(Refusal.UNDATED, "");
    }
    ClaimRecord started = firstRun(ask, terms, now);
    String limit = room.obstacleToStarting(share, ask.id(), ask.operation());
    if (limit.isEmpty()) {
      limit = limitMetBy(1, room.bytes(ask.id(), started), now);
    }
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    return start(ask.id(), started);
  }

  private ClaimRecord firstRun(Ask ask, ClaimTerms terms, Now now) {
    long fence = records.firstFence(ask.id().key());
    return ClaimRecord.started(records.nextPlace(), fence, ask, terms, now);
  }

  /** Whether this id runs only if it has before: its scope accepts no new one of its kind (K5). */
  private boolean mustBeKnown(GuardedId id) {
    return !id.key().isDated() && datedOnly.contains(id.scope().name());
  }

  /** Why a key without a record can neither run nor be abandoned (K5). */
  private @Nullable Refusal unjudgeable(Key key, Now now) {
    if (records.isForgotten(key)) {
      return Refusal.FORGOTTEN;
    }
    boolean ahead =
        key.isDated()
            && key.dateMicros() - FUTURE_MICROS > TimeUnit.MILLISECONDS.toMicros(now.millis());
    return ahead ? Refusal.FROM_THE_FUTURE : null;
  }

  private ClaimReply tell(ClaimRecord known, Ask ask, ClaimTerms terms, Now now) {
    GuardedId id = ask.id();
    if (!known.matches(ask)) {
      return new ClaimReply.Refused(Refusal.MISMATCH, "");
    }
    if (known.isClosed()) {
      return new ClaimReply.Refused(
          known.state() == State.ABANDONED ? Refusal.ABANDONED : Refusal.ACKNOWLEDGED, "");
    }
    if (known.isUnknown(now.age())) {
      return new ClaimReply.Unknown(known.describe(id, now));
    }
    if (known.state() == State.STARTED) {
      return new ClaimReply.Running(known.leaseEndsAge() - now.age());
    }
    Reply reply = known.reply();
    if (reply != null) {
      return reply.bytes().length() <= ServiceLimits.CLAIM_REPLY_AT_ONCE_BYTES
          ? new ClaimReply.Done(reply)
          : new ClaimReply.DoneAtLength();
    }
    // One that did not happen is as good as new.
    return mustBeKnown(id)
        ? new ClaimReply.Refused(Refusal.UNDATED, "")
        : startAgain(known, records.nextPlace(), ask, terms, now);
  }

  private ClaimReply startAgain(ClaimRecord known, long place, Ask ask, ClaimTerms terms, Now now) {
    GuardedId id = ask.id();
    ClaimRecord again = known.startedAgain(place, ask, terms, now);
    String limit =
        known.state() == State.RELEASED ? room.obstacleToStarting(share, id, ask.operation()) : "";
    if (limit.isEmpty()) {
      limit = limitMetBy(0, room.bytes(id, again) - room.bytes(id, known), now);
    }
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    // What made room may have dropped the record itself, which was released and due.
    if (records.get(id) == null) {
      return first(ask, terms, now);
    }
    return start(id, again);
  }

  private ClaimReply start(GuardedId id, ClaimRecord record) {
    records.put(id, record);
    return new ClaimReply.Started(record.fence());
  }

  /** Names the limit that so much more would pass, or nothing. What is due makes room first. */
  private String limitMetBy(int moreRecords, long moreBytes, Now now) {
    if (room.obstacle(share, moreRecords, moreBytes).isEmpty()) {
      return "";
    }
    records.sweep(ServiceLimits.LIST_ENTRIES, now);
    return room.obstacle(share, moreRecords, moreBytes);
  }

  ClaimReply done(GuardedId id, long fence, Reply reply, Now now) {
    ClaimRecord known = records.get(id);
    if (known == null) {
      return new ClaimReply.Taken(false);
    }
    ClaimRecord next = known.completed(fence, reply, now);
    if (next.equals(known)) {
      return new ClaimReply.Taken(known.fence() == fence && known.endedWith(reply));
    }
    long growth = room.bytes(id, next) - room.bytes(id, known);
    boolean decides = next.state() != known.state();
    String limit = decides ? room.obstacleToDeciding(growth) : room.obstacle(share, 0, growth);
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    records.put(id, known.completed(fence, own(reply), now));
    return new ClaimReply.Taken(decides);
  }

  /** How much more the store would count for after this command, at most. */
  long growth(ClaimCommand asked, Now now) {
    if (asked instanceof ClaimCommand.Claim c) {
      return growth(c.ask(), 0, c.terms(), now);
    } else if (asked instanceof ClaimCommand.Rerun c) {
      return growth(c.ask(), c.fence(), c.terms(), now);
    } else if (asked instanceof ClaimCommand.Done c) {
      ClaimRecord known = records.get(c.id());
      return known == null ? 0 : growth(c.id(), known, known.completed(c.fence(), c.reply(), now));
    } else if (asked instanceof ClaimCommand.Unknown c) {
      ClaimRecord known = records.get(c.id());
      return known == null ? 0 : growth(c.id(), known, known.doubted(c.fence(), c.why()));
    } else if (asked instanceof ClaimCommand.Abandon c
        && records.get(c.id()) == null
        && unjudgeable(c.id().key(), now) == null) {
      return room.bytes(
          c.id(), ClaimRecord.abandoned(records.nextPlace(), c.retentionMillis(), now));
    } else if (asked instanceof ClaimCommand.DatedOnly c && c.on()) {
      return datedOnly.contains(c.scope().name()) ? 0 : scopeBytes(c.scope().name());
    }
    return 0;
  }

  private long growth(Ask ask, long fence, ClaimTerms terms, Now now) {
    ClaimRecord known = records.get(ask.id());
    boolean fresh = known == null || known.state() == State.RELEASED;
    if (fresh && mustBeKnown(ask.id())
        || known == null && unjudgeable(ask.id().key(), now) != null) {
      return 0;
    }
    if (known == null) {
      ClaimRecord started = firstRun(ask, terms, now);
      return room.bytes(ask.id(), started);
    }
    boolean starts =
        known.matches(ask) && known.state() == State.RELEASED
            || mayRunAgain(known, ask, fence, now);
    return starts ? growth(ask.id(), known, known.startedAgain(0, ask, terms, now)) : 0;
  }

  private long growth(GuardedId id, ClaimRecord from, ClaimRecord to) {
    return room.bytes(id, to) - room.bytes(id, from);
  }

  ClaimReply unknown(GuardedId id, long fence, String why) {
    ClaimRecord known = records.get(id);
    if (known == null || known.fence() != fence || !known.isOpen()) {
      return new ClaimReply.Taken(false);
    }
    ClaimRecord next = known.doubted(fence, why);
    String limit = room.obstacleToDeciding(growth(id, known, next));
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    if (!next.equals(known)) {
      records.put(id, next);
    }
    return new ClaimReply.Taken(true);
  }

  boolean release(GuardedId id, long fence, Now now) {
    ClaimRecord known = records.get(id);
    if (known == null || known.fence() != fence) {
      return false;
    }
    if (known.isOpen()) {
      records.put(id, known.released(now.age()));
      return true;
    }
    return known.state() == State.RELEASED;
  }

  ClaimReply.Abandonment abandon(GuardedId id, long retentionMillis, Now now) {
    ClaimRecord known = records.get(id);
    if (known != null && known.state() != State.RELEASED) {
      return abandonKnown(id, known, now);
    }
    Refusal unjudgeable = known == null ? unjudgeable(id.key(), now) : null;
    if (unjudgeable != null) {
      return refused(unjudgeable, "");
    }
    ClaimRecord closed =
        known == null
            ? ClaimRecord.abandoned(records.nextPlace(), retentionMillis, now)
            : known.abandoned(retentionMillis, now.age());
    String limit =
        known == null
            ? limitMetBy(1, room.bytes(id, closed), now)
            : room.obstacleToDeciding(growth(id, known, closed));
    if (!limit.isEmpty()) {
      return refused(Refusal.OVERLOADED, limit);
    }
    records.put(id, closed);
    return closed(id);
  }

  private ClaimReply.Abandonment abandonKnown(GuardedId id, ClaimRecord known, Now now) {
    return switch (known.state()) {
      case STARTED, UNKNOWN ->
          new ClaimReply.Abandonment(
              new GuardedAbandonment.Undecided(outcome(id, now).known()), false);
      case DONE -> {
        ClaimReply.Outcome executed = executed(known);
        yield new ClaimReply.Abandonment(
            new GuardedAbandonment.Executed(((GuardedOutcome.Executed) executed.known()).reply()),
            executed.atLength());
      }
      case ACKNOWLEDGED -> refused(Refusal.ACKNOWLEDGED, "");
      case ABANDONED -> closed(id);
      case RELEASED -> throw new IllegalStateException("a released request is closed: " + id);
    };
  }

  private static ClaimReply.Abandonment closed(GuardedId id) {
    return new ClaimReply.Abandonment(new GuardedAbandonment.Closed(id.key().isDated()), false);
  }

  static ClaimReply.Abandonment refused(Refusal refusal, String limit) {
    return new ClaimReply.Abandonment(new GuardedAbandonment.Refused(refusal, limit), false);
  }

  boolean acknowledge(GuardedId id) {
    ClaimRecord known = records.get(id);
    if (known == null || known.state() != State.DONE) {
      return false;
    }
    records.put(id, known.acknowledged());
    return true;
  }

  int sweep(int atMost, Now now) {
    return records.sweep(atMost, now);
  }

  /** Drops what was started before this and is not open (K4). */
  int forget(ClaimRecords.Bound bound, int atMost, Now now) {
    return records.forgetStartedBefore(bound, atMost, now);
  }

  /** Lets a scope accept dated keys only, or all again. */
  ClaimReply setDatedOnly(Scope scope, boolean on) {
    if (!on) {
      boolean was = datedOnly.remove(scope.name());
      if (was) {
        room.charge(share, 0, -scopeBytes(scope.name()));
      }
      return new ClaimReply.Taken(was);
    }
    if (datedOnly.contains(scope.name())) {
      return new ClaimReply.Taken(false);
    }
    String limit =
        datedOnly.size() == ServiceLimits.CLAIM_SCOPES
            ? "CLAIM_SCOPES"
            : room.obstacle(share, 0, scopeBytes(scope.name()));
    if (!limit.isEmpty()) {
      return new ClaimReply.Refused(Refusal.OVERLOADED, limit);
    }
    restrict(scope.name());
    return new ClaimReply.Taken(true);
  }

  private void restrict(String scope) {
    datedOnly.add(scope);
    room.charge(share, 0, scopeBytes(scope));
  }

  /** About what the setting of a scope takes. */
  private static long scopeBytes(String scope) {
    return 160 + 2L * scope.length();
  }

  /** A payload is gone when its command has been executed. */
  private static Reply own(Reply reply) {
    return new Reply(reply.kind(), Bytes.of(reply.bytes().toArray()));
  }

  /** Whether nothing is lost if it is forgotten that this store was ever used. */
  boolean isBlank() {
    return datedOnly.isEmpty() && records.isBlank();
  }

  /** Whether it holds anything for its principal, more than what it dropped. */
  boolean isInUse() {
    return !records.isEmpty() || !datedOnly.isEmpty();
  }

  /**
   * Makes a store that is not in use blank: what it knows of dropped dates, its principal knows
   * from here on, and every store that it makes later. Dated keys may be refused there that were
   * never seen; none is taken that was (K5).
   *
   * @return whether it is blank now
   */
  boolean foldHorizon() {
    if (isInUse()) {
      return false;
    }
    records.foldHorizon();
    return true;
  }

  /** Refuses also what was dropped elsewhere (K5). */
  void raiseHorizons(ClaimRoom.Horizons dropped) {
    records.raise(dropped);
  }

  // ---- questions ------------------------------------------------------------------------------

  @Nullable ClaimRecord record(GuardedId id) {
    return records.get(id);
  }

  ClaimReply.Outcome outcome(GuardedId id, Now now) {
    ClaimRecord known = records.get(id);
    if (known == null) {
      return withoutRecord(id.key(), records.horizons());
    }
    if (known.isUnknown(now.age())) {
      return told(new GuardedOutcome.Unknown(known.describe(id, now)));
    }
    return switch (known.state()) {
      case STARTED -> told(new GuardedOutcome.Running(known.leaseEndsAge() - now.age()));
      case DONE -> executed(known);
      case ACKNOWLEDGED -> told(new GuardedOutcome.Acknowledged());
      case ABANDONED -> told(new GuardedOutcome.Abandoned());
      case RELEASED -> told(new GuardedOutcome.DidNotHappen());
      case UNKNOWN -> throw new IllegalStateException("told above");
    };
  }

  static ClaimReply.Outcome withoutRecord(Key key, ClaimRoom.Horizons dropped) {
    long horizon = key.isDated() ? dropped.horizonMicros() : dropped.undatedHorizonMicros();
    boolean gone =
        key.isDated() ? key.dateMicros() <= horizon : horizon != ClaimRoom.NOTHING_DROPPED;
    return told(gone ? new GuardedOutcome.NoRecordSince(horizon) : new GuardedOutcome.NeverSeen());
  }

  private static ClaimReply.Outcome executed(ClaimRecord known) {
    Reply reply = Objects.requireNonNull(known.reply());
    boolean atLength = reply.bytes().length() > ServiceLimits.CLAIM_REPLY_AT_ONCE_BYTES;
    Reply told = atLength ? new Reply(reply.kind(), Bytes.EMPTY) : reply;
    Instant started = Instant.ofEpochMilli(known.startedMillis());
    return new ClaimReply.Outcome(new GuardedOutcome.Executed(told, started), atLength);
  }

  private static ClaimReply.Outcome told(GuardedOutcome outcome) {
    return new ClaimReply.Outcome(outcome, false);
  }

  ClaimReply.Unknowns unknowns(long after, int limit, Now now) {
    List<UnknownRequest> found = new ArrayList<>();
    long last = after;
    long characters = 0;
    for (Map.Entry<Long, GuardedId> each : records.openAfter(after).entrySet()) {
      if (found.size() == limit || characters > PAGE_CHARACTERS) {
        return new ClaimReply.Unknowns(found, last, true);
      }
      last = each.getKey();
      ClaimRecord record = records.get(each.getValue());
      if (record != null && record.isUnknown(now.age())) {
        found.add(record.describe(each.getValue(), now));
        characters += record.memo().length() + record.why().length() + 512;
      }
    }
    return new ClaimReply.Unknowns(found, last, false);
  }

  ClaimReply.Counted count(ClaimRecords.Bound bound) {
    return new ClaimReply.Counted(records.countStartedBefore(bound));
  }

  // ---- snapshots ------------------------------------------------------------------------------

  /** Writes one store as it is now, later. */
  interface Image {
    void writeTo(StateOutput out) throws IOException;
  }

  Image freeze() {
    List<String> scopes = List.copyOf(datedOnly);
    Image frozen = records.freeze();
    return out -> {
      out.i64(scopes.size());
      for (String scope : scopes) {
        out.utf8(scope);
      }
      frozen.writeTo(out);
    };
  }

  /** Into an empty table. */
  void restore(StateInput in) throws IOException {
    long scopes = in.number("number of scopes", ServiceLimits.CLAIM_SCOPES);
    for (long i = 0; i < scopes; i++) {
      String scope = in.utf8(Limits.SCOPE_BYTES);
      if (datedOnly.contains(scope)) {
        throw new IOException("the state of the claims service has a scope twice");
      }
      restrict(scope);
    }
    records.restore(in);
  }
}
