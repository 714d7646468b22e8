package io.onceward.testkit.model;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every key there is, judged rule by rule (K1-K6, O1-O2). */
final class ModelKeys {
  private static final long STEP_MILLIS = 256;
  private static final long FORGET_MARGIN_MILLIS = 600_000;
  private static final int MOST_CLASSES = 16;

  private record Identity(int owner, String scope, Key key) {}

  private record Place(int owner, String scope) {}

  private record Setting(long retentionMillis, boolean datedOnly, Owner payer) {}

  /** What a retention class has dropped. */
  private static final class Dropped {
    long horizonMicros;
    long timeMillis;

    void raise(Dropped other) {
      horizonMicros = Math.max(horizonMicros, other.horizonMicros);
      timeMillis = Math.max(timeMillis, other.timeMillis);
    }
  }

  private static final class Kept {
    final Owner owner;
    final Identity identity;
    final long retentionMillis;
    final long arrivedMillis;
    final long arrivedAge;
    Memo memo;

    Kept(
        Owner owner,
        Identity identity,
        long retentionMillis,
        long arrivedMillis,
        long arrivedAge,
        Memo memo) {
      this.owner = owner;
      this.identity = identity;
      this.retentionMillis = retentionMillis;
      this.arrivedMillis = arrivedMillis;
      this.arrivedAge = arrivedAge;
      this.memo = memo;
    }
  }

  private final Accounts accounts;
  private final Map<Identity, Kept> kept = new LinkedHashMap<>();
  private final TreeMap<Long, List<Kept>> byDueStep = new TreeMap<>();
  private final Map<Place, Integer> recordsIn = new HashMap<>();
  private final Map<String, Setting> settings = new HashMap<>();
  private final Map<Long, Dropped> classes = new HashMap<>();

  /** The retentions in the order of their places; one that nothing uses can give its place away. */
  private final List<Long> places = new ArrayList<>();

  private long age;
  private long time;

  ModelKeys(Accounts accounts) {
    this.accounts = accounts;
    places.add(accounts.of(Parameter.RETENTION_MILLIS));
    classes.put(accounts.of(Parameter.RETENTION_MILLIS), new Dropped());
  }

  /** Drops what was kept for its whole retention, before the entry's requests (K3). */
  void expire(long nowAge, long nowTime) {
    age = nowAge;
    time = nowTime;
    while (!byDueStep.isEmpty() && byDueStep.firstKey() < age / STEP_MILLIS) {
      for (Kept due : byDueStep.pollFirstEntry().getValue()) {
        if (kept.get(due.identity) == due) {
          drop(due);
        }
      }
    }
  }

  private void drop(Kept gone) {
    kept.remove(gone.identity);
    Dropped own = classOf(gone.retentionMillis);
    long arrivedMillis = (gone.arrivedMillis / STEP_MILLIS + 1) * STEP_MILLIS - 1;
    own.timeMillis = Math.max(own.timeMillis, arrivedMillis);
    Dropped now = classOf(retentionMillis(gone.identity.scope()));
    now.timeMillis = Math.max(now.timeMillis, arrivedMillis);
    if (gone.identity.key().isDated()) {
      long date = gone.identity.key().dateMicros();
      own.horizonMicros = Math.max(own.horizonMicros, date);
      now.horizonMicros = Math.max(now.horizonMicros, date);
    }
    accounts.take(gone.owner, -bytes(gone.memo));
    Place place = new Place(gone.identity.owner(), gone.identity.scope());
    int left = recordsIn.merge(place, -1, Integer::sum);
    if (left == 0) {
      accounts.take(gone.owner, -scopeBytes(gone.identity.scope()));
    }
  }

  private static long bytes(Memo memo) {
    return memo instanceof Memo.Executed executed
        ? Accounts.KEY + executed.reply().bytes().length()
        : Accounts.TOMBSTONE;
  }

  private static long scopeBytes(String scope) {
    return (long) Accounts.SCOPE + scope.length();
  }

  private long scopeCost(Owner owner, String scope) {
    boolean holds = recordsIn.getOrDefault(new Place(owner.number, scope), 0) > 0;
    return holds ? 0 : scopeBytes(scope);
  }

  private void keep(Owner owner, Identity identity, Memo memo) {
    String scope = identity.scope();
    accounts.take(owner, bytes(memo) + scopeCost(owner, scope));
    recordsIn.merge(new Place(owner.number, scope), 1, Integer::sum);
    long retention = retentionMillis(scope);
    Kept record = new Kept(owner, identity, retention, time, age, memo);
    kept.put(identity, record);
    long dueStep = (age + retention) / STEP_MILLIS;
    byDueStep.computeIfAbsent(dueStep, step -> new ArrayList<>()).add(record);
  }

  // Settings.

  private long retentionMillis(String scope) {
    Setting setting = settings.get(scope);
    return setting == null ? accounts.of(Parameter.RETENTION_MILLIS) : setting.retentionMillis();
  }

  private Dropped classOf(long retentionMillis) {
    Dropped dropped = classes.get(retentionMillis);
    if (dropped == null) {
      throw new IllegalStateException("nothing has the retention " + retentionMillis);
    }
    return dropped;
  }

  /** Whether there is, or can be, a class of this retention. */
  private boolean makeClass(long retentionMillis) {
    if (classes.containsKey(retentionMillis)) {
      return true;
    }
    if (places.size() < MOST_CLASSES) {
      places.add(retentionMillis);
    } else {
      int free = 0;
      while (free < places.size() && isUsed(places.get(free))) {
        free++;
      }
      if (free == places.size()) {
        return false;
      }
      classes.remove(places.set(free, retentionMillis));
    }
    classes.put(retentionMillis, new Dropped());
    return true;
  }

  private boolean isUsed(long retentionMillis) {
    return retentionMillis == accounts.of(Parameter.RETENTION_MILLIS)
        || settings.values().stream().anyMatch(each -> each.retentionMillis() == retentionMillis)
        || kept.values().stream().anyMatch(each -> each.retentionMillis == retentionMillis);
  }

  /** Scopes without a setting move to another class; their horizon comes along (K5). */
  Decision setRetention(long millis) {
    if (!makeClass(millis)) {
      return new Decision.Rejected("too many retentions");
    }
    classOf(millis).raise(classOf(accounts.of(Parameter.RETENTION_MILLIS)));
    accounts.set(Parameter.RETENTION_MILLIS, millis);
    return new Decision.Done();
  }

  /** Whoever sets something for a scope first pays for it until it is removed (K6). */
  Decision setScope(Owner owner, Request.SetScope set) {
    String scope = set.scope().name();
    Setting before = settings.get(scope);
    long millis = set.retentionMillis();
    if (millis == 0 && !set.datedOnly()) {
      if (before != null) {
        settings.remove(scope);
        classOf(retentionMillis(scope)).raise(classOf(before.retentionMillis()));
        accounts.take(before.payer(), -settingBytes(scope));
      }
      return new Decision.Done();
    }
    Parameter bounds = Parameter.RETENTION_MILLIS;
    if (millis < bounds.least() || millis > bounds.most()) {
      return new Decision.Rejected("no such retention");
    }
    String limit = before == null ? accounts.limitForClosing(owner, settingBytes(scope)) : "";
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    if (!makeClass(millis)) {
      return new Decision.Rejected("too many retentions");
    }
    classOf(millis).raise(classOf(retentionMillis(scope)));
    if (before == null) {
      accounts.take(owner, settingBytes(scope));
    }
    Owner payer = before == null ? owner : before.payer();
    settings.put(scope, new Setting(millis, set.datedOnly(), payer));
    return new Decision.Done();
  }

  private static long settingBytes(String scope) {
    return (long) Accounts.SETTING + scope.length();
  }

  Decision forget(long beforeMillis) {
    if (beforeMillis > time - FORGET_MARGIN_MILLIS) {
      return new Decision.Rejected("too late a bound");
    }
    return forget(olderThan(beforeMillis));
  }

  /** The same by age: it reaches what arrived while log time stood still. */
  Decision forgetByAge(long beforeAge) {
    if (beforeAge > age - FORGET_MARGIN_MILLIS) {
      return new Decision.Rejected("too late a bound");
    }
    return forget(arrivedBefore(beforeAge));
  }

  private Decision forget(List<Kept> older) {
    older.forEach(this::drop);
    return new Decision.Forgot(older.size());
  }

  long countByAge(long beforeAge) {
    return arrivedBefore(beforeAge).size();
  }

  /** In the steps in which each record ends its own retention. */
  private List<Kept> arrivedBefore(long beforeAge) {
    List<Kept> older = new ArrayList<>();
    for (Kept record : kept.values()) {
      long retention = record.retentionMillis;
      if (Math.floorDiv(record.arrivedAge + retention, STEP_MILLIS)
          < Math.floorDiv(beforeAge + retention, STEP_MILLIS)) {
        older.add(record);
      }
    }
    return older;
  }

  long countOlderThan(long beforeMillis) {
    return olderThan(beforeMillis).size();
  }

  private List<Kept> olderThan(long beforeMillis) {
    List<Kept> older = new ArrayList<>();
    for (Kept record : kept.values()) {
      long arrivedStep = Math.floorDiv(record.arrivedMillis, STEP_MILLIS);
      if (arrivedStep < Math.floorDiv(beforeMillis, STEP_MILLIS)) {
        older.add(record);
      }
    }
    return older;
  }

  // Asking.

  void acknowledge(Owner owner, String scope, List<Key> keys) {
    for (Key key : keys) {
      Kept record = kept.get(new Identity(owner.number, scope, key));
      if (record != null && record.memo instanceof Memo.Executed) {
        accounts.take(owner, Accounts.TOMBSTONE - bytes(record.memo));
        record.memo = new Memo.Acknowledged();
      }
    }
  }

  Decision ask(Owner owner, Request.Keyed ask, long position, Supplier<Reply> service) {
    String scope = ask.scope().name();
    acknowledge(owner, scope, ask.acknowledged());
    Identity identity = new Identity(owner.number, scope, ask.key());
    Kept record = kept.get(identity);
    if (record != null) {
      return known(record.memo, ask.fingerprint());
    }
    Refusal outside = outside(scope, ask.key());
    if (outside != null) {
      return new Decision.Refused(outside);
    }
    Setting setting = settings.get(scope);
    if (!ask.key().isDated() && setting != null && setting.datedOnly()) {
      return new Decision.Refused(Refusal.UNDATED);
    }
    if (ask.command().length() > accounts.of(Parameter.MAX_COMMAND_BYTES)) {
      return new Decision.Refused(Refusal.TOO_LARGE, "command");
    }
    long cost = Accounts.KEY + scopeCost(owner, scope);
    String limit = accounts.limitFor(owner, cost, ask.command());
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    accounts.executed(ask.command());
    Reply reply = service.get();
    keep(owner, identity, new Memo.Executed(reply, ask.fingerprint(), position, time));
    return new Decision.Replied(reply, false, position, time);
  }

  private static Decision known(Memo memo, @Nullable Fingerprint carried) {
    if (memo instanceof Memo.Executed executed) {
      return executed.judge(carried);
    }
    return new Decision.Refused(
        memo instanceof Memo.Acknowledged ? Refusal.ACKNOWLEDGED : Refusal.ABANDONED);
  }

  /** Whether a dated key without a record is too old or too new (K5). */
  private @Nullable Refusal outside(String scope, Key key) {
    if (!key.isDated()) {
      return null;
    }
    if (key.dateMicros() <= horizonMicros(scope)) {
      return Refusal.FORGOTTEN;
    }
    long latest = time + accounts.of(Parameter.FUTURE_MILLIS);
    return key.dateMicros() / 1_000 > latest ? Refusal.FROM_THE_FUTURE : null;
  }

  Decision abandon(Owner owner, Request.AbandonKey ask) {
    String scope = ask.scope().name();
    Identity identity = new Identity(owner.number, scope, ask.key());
    Kept record = kept.get(identity);
    Decision.Abandoned abandoned = new Decision.Abandoned(ask.key().isDated());
    if (record != null) {
      if (record.memo instanceof Memo.Executed executed) {
        return executed.replay();
      }
      return record.memo instanceof Memo.Acknowledged
          ? new Decision.Refused(Refusal.ACKNOWLEDGED)
          : abandoned;
    }
    Refusal outside = outside(scope, ask.key());
    if (outside != null) {
      return new Decision.Refused(outside);
    }
    String limit = accounts.limitForClosing(owner, Accounts.TOMBSTONE + scopeCost(owner, scope));
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    keep(owner, identity, new Memo.Abandoned());
    return abandoned;
  }

  Outcome outcome(Owner owner, String scope, Key key) {
    Kept record = kept.get(new Identity(owner.number, scope, key));
    if (record != null) {
      if (record.memo instanceof Memo.Executed executed) {
        return executed.outcome();
      }
      return record.memo instanceof Memo.Acknowledged
          ? new Outcome.Acknowledged()
          : new Outcome.Abandoned();
    }
    Dropped dropped = classOf(retentionMillis(scope));
    if (key.isDated()) {
      return key.dateMicros() <= dropped.horizonMicros
          ? new Outcome.NoRecordSince(dropped.horizonMicros)
          : new Outcome.NeverSeen();
    }
    return dropped.timeMillis > 0
        ? new Outcome.NoRecordSince(dropped.timeMillis * 1_000)
        : new Outcome.NeverSeen();
  }

  long horizonMicros(String scope) {
    return classOf(retentionMillis(scope)).horizonMicros;
  }
}
