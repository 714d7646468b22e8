package io.onceward.replica;

import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory of requests that belong to no session: for each key what it answered, or that it was
 * acknowledged or abandoned.
 *
 * <p>A key is looked up before anything else is asked about its request (E1). A key without a
 * record is either new or so old that its record was dropped; the horizon tells the two apart for
 * dated keys (K5), and that is why dated keys can be forgotten safely. Nothing is ever evicted to
 * make room.
 */
final class KeyTable implements Memory {
  /** Retention and forgetting look at age and log time in steps of 256 ms. */
  static final int QUANTUM_BITS = 8;

  /** How far a forget must stay away from the present, so that no fresh key is refused by it. */
  static final long FORGET_MARGIN_MILLIS = 600_000;

  private static final int TIDY_CHUNKS_PER_TICK = 64;

  private final Parameters parameters;
  private final Principals principals;
  private final Room room;
  private final Hash hash;
  private final Scopes scopes;
  private final KeyJournal journal = new KeyJournal();
  private final KeyRecord record = new KeyRecord();
  private final KeyRecord candidate = new KeyRecord();
  private final KeyJournal.Moves moves = this::moved;
  private final KeyJournal.Drops drops =
      new KeyJournal.Drops() {
        @Override
        public long hash(KeyRecord going) {
          return hashOf(going);
        }

        @Override
        public long touch(long hash) {
          return index.touch(hash);
        }

        @Override
        public long seek(long hash) {
          return index.peek(hash);
        }

        @Override
        public void dropped(KeyRecord gone, int ref, long hash, long arrivedMillis) {
          KeyTable.this.dropped(gone, ref, hash, arrivedMillis);
        }
      };
  private long ageMillis;

  // Where and when the chunk of the record under the cursor begins.
  private long foundBasePosition;
  private long foundBaseTime;

  // The request that was judged last and may execute, for obstacle() and remember(); no key if the
  // last one may not, or is remembered already.
  private @Nullable Principal judgedBy;
  private Scope judgedScope = Scope.NONE;
  private @Nullable Key judgedKey;

  private final HashIndex index =
      new HashIndex() {
        @Override
        long hashOf(int ref) {
          journal.moveToIdentity(ref, candidate);
          return KeyTable.this.hashOf(candidate);
        }

        @Override
        long touchRow(int ref) {
          return journal.touch(ref);
        }
      };

  KeyTable(Parameters parameters, Principals principals, Room room, Hash hash) {
    this.parameters = parameters;
    this.principals = principals;
    this.room = room;
    this.hash = hash;
    this.scopes = new Scopes(parameters, hash, room);
  }

  static long timeQuantum(long millis) {
    return millis >> QUANTUM_BITS;
  }

  int size() {
    return index.size();
  }

  Scopes scopes() {
    return scopes;
  }

  // ---- requests -------------------------------------------------------------------------------

  /** Judges a keyed request (E1, E7, K5). */
  Verdict judge(
      Principal who,
      Scope scope,
      Key key,
      boolean fingerprinted,
      long fingerprint,
      long timeMillis) {
    judgedKey = null;
    if (find(who, scope, key) != 0) {
      return known(fingerprinted, fingerprint);
    }
    Refusal unjudgeable = unjudgeable(scope, key, timeMillis);
    if (unjudgeable != null) {
      return Verdict.Refuse.because(unjudgeable);
    }
    if (scopes.setting(scope).datedOnly() && !key.isDated()) {
      return Verdict.Refuse.because(Refusal.UNDATED);
    }
    judgedBy = who;
    judgedScope = scope;
    judgedKey = key;
    return Verdict.Execute.NOW;
  }

  private Verdict known(boolean fingerprinted, long fingerprint) {
    if (record.isExecuted()) {
      return record.matches(fingerprinted, fingerprint)
          ? replay()
          : Verdict.Refuse.mismatch(record.isFingerprinted());
    }
    return Verdict.Refuse.because(
        record.state() == KeyRecord.TOMBSTONE ? Refusal.ACKNOWLEDGED : Refusal.ABANDONED);
  }

  /** Why a key without a record can be neither executed nor abandoned, or null (K5). */
  private @Nullable Refusal unjudgeable(Scope scope, Key key, long timeMillis) {
    if (!key.isDated()) {
      return null;
    }
    long date = key.dateMicros();
    if (date <= scopes.setting(scope).retention().horizonMicros) {
      return Refusal.FORGOTTEN;
    }
    // In this order, because log time may be anything, and dates end long before the last number.
    long ahead = date / 1000 - parameters.value(Parameter.FUTURE_MILLIS);
    return ahead > timeMillis ? Refusal.FROM_THE_FUTURE : null;
  }

  @Override
  public String obstacle(Principal who) {
    judged(who);
    return isFull() ? "keys" : room.obstacle(who, Room.KEY + scopeCost(who, judgedScope));
  }

  /** The key that this principal may use now: asking for another one is a mistake of ours. */
  private Key judged(Principal who) {
    Key key = judgedKey;
    if (key == null || judgedBy != who) {
      throw new IllegalStateException("no key of " + who.name + " was judged to execute");
    }
    return key;
  }

  private boolean isFull() {
    return index.size() >= KeyJournal.MAX_RECORDS;
  }

  /** What a scope costs with its first record. */
  private int scopeCost(Principal who, Scope scope) {
    return scopes.find(who, scope) == null ? scopes.cost(scope) : 0;
  }

  @Override
  public void remember(
      Principal who,
      long position,
      long timeMillis,
      boolean fingerprinted,
      long fingerprint,
      Reply reply) {
    Key key = judged(who);
    judgedKey = null;
    RetentionClass retention = scopes.setting(judgedScope).retention();
    rememberExecuted(
        principals.enter(who),
        judgedScope,
        key,
        retention,
        due(retention),
        position,
        timeMillis,
        fingerprinted,
        fingerprint,
        reply);
  }

  void rememberExecuted(
      Principal who,
      Scope scope,
      Key key,
      RetentionClass retention,
      long due,
      long position,
      long timeMillis,
      boolean fingerprinted,
      long fingerprint,
      Reply reply) {
    int number = scopes.hold(who, scope).number;
    int ref =
        journal.appendExecuted(
            retention, due, position, timeMillis, number, key, fingerprinted, fingerprint, reply);
    index.add(hashOf(number, key), ref);
    room.charge(who, Room.KEY + reply.bytes().length());
  }

  void rememberSlim(
      Principal who,
      Scope scope,
      Key key,
      RetentionClass retention,
      long due,
      long position,
      long timeMillis,
      int state) {
    int number = scopes.hold(who, scope).number;
    int ref = journal.appendSlim(retention, due, position, timeMillis, state, number, key);
    index.add(hashOf(number, key), ref);
    room.charge(who, Room.TOMBSTONE);
  }

  private long due(RetentionClass retention) {
    return due(retention, ageMillis);
  }

  /** When what arrives at this age is due. Anybody can ask about any age, so no sum may wrap. */
  private static long due(RetentionClass retention, long ageMillis) {
    return timeQuantum(
        Math.min(ageMillis, Long.MAX_VALUE - retention.retentionMillis)
            + retention.retentionMillis);
  }

  /** Drops the replies of these keys, which the client has taken (K2). */
  void acknowledge(Principal who, Scope scope, List<Key> keys) {
    for (int i = 0; i < keys.size(); i++) {
      int ref = find(who, scope, keys.get(i));
      if (ref != 0 && record.isExecuted()) {
        room.charge(who, Room.TOMBSTONE - Room.KEY - record.replyLength());
        journal.bury(ref, record, moves);
      }
    }
  }

  /** Closes a key unless it is decided (O2). */
  Decision abandon(Principal who, Scope scope, Key key, long position, long timeMillis) {
    if (find(who, scope, key) != 0) {
      if (record.isExecuted()) {
        Verdict.Replay replay = replay();
        return new Decision.Replied(replay.reply(), true, replay.position(), replay.timeMillis());
      }
      return record.state() == KeyRecord.TOMBSTONE
          ? new Refused(Refusal.ACKNOWLEDGED)
          : new Decision.Abandoned(key.isDated());
    }
    Refusal unjudgeable = unjudgeable(scope, key, timeMillis);
    if (unjudgeable != null) {
      return new Refused(unjudgeable);
    }
    String limit = obstacleToClosing(who, scope);
    if (!limit.isEmpty()) {
      return new Refused(Refusal.OVERLOADED, limit);
    }
    RetentionClass retention = scopes.setting(scope).retention();
    Principal owner = principals.enter(who);
    rememberSlim(
        owner, scope, key, retention, due(retention), position, timeMillis, KeyRecord.ABANDONED);
    return new Decision.Abandoned(key.isDated());
  }

  /** The limit that an abandon would meet now, if the key is not known; or empty. */
  String obstacleToAbandoning(Principal who, Scope scope, Key key, long timeMillis) {
    boolean closesNothing =
        find(who, scope, key) != 0 || unjudgeable(scope, key, timeMillis) != null;
    return closesNothing ? "" : obstacleToClosing(who, scope);
  }

  private String obstacleToClosing(Principal who, Scope scope) {
    return isFull() ? "keys" : room.obstacleToClosing(who, Room.TOMBSTONE + scopeCost(who, scope));
  }

  Outcome outcome(Principal who, Scope scope, Key key) {
    if (find(who, scope, key) != 0) {
      if (record.isExecuted()) {
        Verdict.Replay replay = replay();
        return new Outcome.Executed(replay.reply(), replay.position(), replay.timeMillis());
      }
      return record.state() == KeyRecord.TOMBSTONE
          ? new Outcome.Acknowledged()
          : new Outcome.Abandoned();
    }
    RetentionClass retention = scopes.setting(scope).retention();
    if (key.isDated()) {
      return key.dateMicros() <= retention.horizonMicros
          ? new Outcome.NoRecordSince(retention.horizonMicros)
          : new Outcome.NeverSeen();
    }
    return retention.droppedMillis > 0
        ? new Outcome.NoRecordSince(TimeUnit.MILLISECONDS.toMicros(retention.droppedMillis))
        : new Outcome.NeverSeen();
  }

  boolean hasReply(Principal who, Scope scope, Key key) {
    return find(who, scope, key) != 0 && record.isExecuted();
  }

  private Verdict.Replay replay() {
    return new Verdict.Replay(
        journal.reply(record),
        foundBasePosition + record.positionDelta(),
        foundBaseTime + record.timeDelta());
  }

  // ---- looking ahead --------------------------------------------------------------------------
  // As in SessionTable: a batch's cache misses overlap when they are taken in loops of their own.

  long touchIndex(Principal who, Scope scope, Key key) {
    Scopes.Entry entry = scopes.find(who, scope);
    return entry == null ? 0 : index.touch(hashOf(entry.number, key));
  }

  /** A record that may be the key's, or 0. */
  int peek(Principal who, Scope scope, Key key) {
    Scopes.Entry entry = scopes.find(who, scope);
    return entry == null ? 0 : index.peek(hashOf(entry.number, key));
  }

  long touchRecord(int ref) {
    return ref == 0 ? 0 : journal.touch(ref);
  }

  // ---- dropping -------------------------------------------------------------------------------

  /** Takes the age of the entry that is about to be applied, and drops what is due (K3). */
  void expire(long ageMillis) {
    this.ageMillis = ageMillis;
    long now = timeQuantum(ageMillis);
    List<RetentionClass> retentions = scopes.retentions();
    for (int i = 0; i < retentions.size(); i++) {
      journal.dropDueBefore(retentions.get(i), now, drops);
    }
    journal.settle();
  }

  /** The memory in which records stand. */
  long heldBytes() {
    return journal.heldBytes();
  }

  /** Drops every record that arrived before the bound, in whole quanta of log time (K4). */
  long forget(long beforeMillis) {
    long count = 0;
    for (RetentionClass retention : scopes.retentions()) {
      count += journal.dropArrivedBefore(retention, timeQuantum(beforeMillis), drops);
    }
    return count;
  }

  /**
   * Drops every record that arrived before this age (K4), in whole quanta of the age at which it is
   * due: that one is known of each record, and a record stays in the class in which it arrived.
   */
  long forgetByAge(long beforeAgeMillis) {
    long count = 0;
    for (RetentionClass retention : scopes.retentions()) {
      count += journal.dropDueBefore(retention, due(retention, beforeAgeMillis), drops);
    }
    return count;
  }

  long countOlderThan(long beforeMillis) {
    long count = 0;
    for (RetentionClass retention : scopes.retentions()) {
      count += journal.countArrivedBefore(retention, timeQuantum(beforeMillis));
    }
    return count;
  }

  long countByAge(long beforeAgeMillis) {
    long count = 0;
    for (RetentionClass retention : scopes.retentions()) {
      count += journal.countDueBefore(retention, due(retention, beforeAgeMillis));
    }
    return count;
  }

  /** Wins back a little memory; called when the log only lets time pass. */
  void tidy() {
    journal.tidy(TIDY_CHUNKS_PER_TICK, moves);
  }

  private void dropped(KeyRecord gone, int ref, long hash, long arrivedMillis) {
    index.remove(hash, ref);
    Scopes.Entry entry = scopes.numbered(gone.scope());
    RetentionClass own = journal.chunkOf(ref).retention;
    RetentionClass now = scopes.setting(entry.scope).retention();
    Key key = gone.key();
    if (key.isDated()) {
      long date = key.dateMicros();
      own.raiseHorizon(date);
      now.raiseHorizon(date);
    }
    // The scope may be in another class since the key arrived; outcomes ask the one it is in (O1).
    now.droppedMillis = Math.max(now.droppedMillis, arrivedMillis);
    int bytes = gone.isExecuted() ? Room.KEY + gone.replyLength() : Room.TOMBSTONE;
    room.charge(entry.principal, -bytes);
    scopes.release(entry);
  }

  private void moved(KeyRecord moving, int from, int to) {
    index.replace(hashOf(moving), from, to);
  }

  // ---- snapshots ------------------------------------------------------------------------------

  /** All records as they are now. */
  KeySnapshot freeze() {
    List<List<KeyJournal.ChunkView>> views = new ArrayList<>();
    for (RetentionClass retention : scopes.retentions()) {
      views.add(journal.freeze(retention));
    }
    return new KeySnapshot(views, journal.freezeReplies(), scopes.copy(), index.size());
  }

  /** Prepares the index for so many keys in all. */
  void reserve(long records) {
    index.reserve(records);
  }

  void restoreAge(long ageMillis) {
    this.ageMillis = ageMillis;
  }

  // ---- lookup ---------------------------------------------------------------------------------

  /** The reference of a key's record, with the cursor on it, or 0. */
  private int find(Principal who, Scope scope, Key key) {
    Scopes.Entry entry = scopes.find(who, scope);
    if (entry == null) {
      return 0;
    }
    int ref = index.first(hashOf(entry.number, key));
    while (ref != 0) {
      journal.moveToIdentity(ref, record);
      if (record.is(entry.number, key)) {
        journal.moveTo(ref, record);
        foundBasePosition = journal.chunkOf(ref).basePosition;
        foundBaseTime = journal.chunkOf(ref).baseTime;
        return ref;
      }
      ref = index.next();
    }
    return 0;
  }

  private long hashOf(int scope, Key key) {
    return hashOf(scope, key.kind().code(), key.high(), key.low());
  }

  private long hashOf(KeyRecord of) {
    return hashOf(of.scope(), of.kind(), of.high(), of.low());
  }

  private long hashOf(int scope, int kind, long high, long low) {
    return hash.of((long) scope << 2 | kind, high, low);
  }
}
