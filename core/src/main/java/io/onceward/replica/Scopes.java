package io.onceward.replica;

import io.onceward.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The scopes in which keys are remembered, and how long each remembers (K3).
 *
 * <p>A scope of a principal has an entry while it holds at least one record, so that per-user
 * scopes do not pile up. Its number is small, since every record carries it, and is used again
 * afterwards; numbers are this node's own and appear in no digest.
 */
final class Scopes {
  /** More different retentions than this at a time are refused; each keeps a horizon. */
  static final int MAX_RETENTIONS = 16;

  /** A scope of one principal that holds records. */
  static final class Entry {
    final int number;
    final Principal principal;
    final Scope scope;
    final long hash;
    long records;

    Entry(int number, Principal principal, Scope scope, long hash) {
      this.number = number;
      this.principal = principal;
      this.scope = scope;
      this.hash = hash;
    }
  }

  /**
   * What an administrator set for all scopes of one name.
   *
   * @param owner the principal that set it first and pays for it; null for the standard
   */
  record Setting(RetentionClass retention, boolean datedOnly, @Nullable Principal owner) {}

  private final Hash hash;
  private final Room room;
  private final List<RetentionClass> retentions = new ArrayList<>();
  private final TreeMap<String, Setting> settings = new TreeMap<>();
  private Setting standard;
  private @Nullable Entry[] entries = new @Nullable Entry[16];
  private int[] vacant = new int[16];
  private int vacantCount;
  private int end = 1;
  private @Nullable Entry last;

  private final HashIndex byName =
      new HashIndex() {
        @Override
        long hashOf(int number) {
          return numbered(number).hash;
        }

        @Override
        long touchRow(int number) {
          return 0;
        }
      };

  Scopes(Parameters parameters, Hash hash, Room room) {
    this.hash = hash;
    this.room = room;
    RetentionClass first = new RetentionClass(0, parameters.value(Parameter.RETENTION_MILLIS));
    retentions.add(first);
    this.standard = new Setting(first, false, null);
  }

  List<RetentionClass> retentions() {
    return retentions;
  }

  TreeMap<String, Setting> settings() {
    return settings;
  }

  Setting setting(Scope scope) {
    if (settings.isEmpty()) {
      return standard;
    }
    return settings.getOrDefault(scope.name(), standard);
  }

  RetentionClass standard() {
    return standard.retention();
  }

  @Nullable Entry find(Principal who, Scope scope) {
    Entry recent = last;
    if (recent != null && recent.principal == who && recent.scope.equals(scope)) {
      return recent;
    }
    int number = byName.first(hashOf(who, scope));
    while (number != 0) {
      Entry entry = numbered(number);
      if (entry.principal == who && entry.scope.equals(scope)) {
        last = entry;
        return entry;
      }
      number = byName.next();
    }
    return null;
  }

  Entry numbered(int number) {
    Entry entry = entries[number];
    if (entry == null) {
      throw new IllegalStateException("no scope has the number " + number);
    }
    return entry;
  }

  /** The entry for one more record. */
  Entry hold(Principal who, Scope scope) {
    Entry entry = find(who, scope);
    if (entry == null) {
      int number = vacantCount > 0 ? vacant[--vacantCount] : end++;
      if (number == entries.length) {
        entries = Arrays.copyOf(entries, number * 2);
      }
      entry = new Entry(number, who, scope, hashOf(who, scope));
      entries[number] = entry;
      byName.add(entry.hash, number);
      room.charge(who, cost(scope));
    }
    entry.records++;
    return entry;
  }

  void release(Entry entry) {
    if (--entry.records > 0) {
      return;
    }
    byName.remove(entry.hash, entry.number);
    entries[entry.number] = null;
    last = null;
    if (vacantCount == vacant.length) {
      vacant = Arrays.copyOf(vacant, vacantCount * 2);
    }
    vacant[vacantCount++] = entry.number;
    room.charge(entry.principal, -cost(entry.scope));
  }

  /** The entries by number, as they are now. */
  @Nullable Entry[] copy() {
    return Arrays.copyOf(entries, end);
  }

  int cost(Scope scope) {
    return Room.SCOPE + scope.name().length();
  }

  /**
   * The class for a retention, made if need be; null when there are too many.
   *
   * <p>A class in which no record and no scope is any more can make room for another. No horizon
   * goes back by that: scopes that were in it took its horizon along when they left, and the last
   * of their records raised it where they are now (K5).
   */
  @Nullable RetentionClass retention(long millis) {
    for (RetentionClass known : retentions) {
      if (known.retentionMillis == millis) {
        return known;
      }
    }
    if (retentions.size() < MAX_RETENTIONS) {
      RetentionClass made = new RetentionClass(retentions.size(), millis);
      retentions.add(made);
      return made;
    }
    for (RetentionClass known : retentions) {
      if (!isUsed(known)) {
        RetentionClass made = new RetentionClass(known.number, millis);
        retentions.set(known.number, made);
        return made;
      }
    }
    return null;
  }

  private boolean isUsed(RetentionClass retention) {
    if (!retention.chunks.isEmpty() || standard.retention() == retention) {
      return true;
    }
    for (Setting setting : settings.values()) {
      if (setting.retention() == retention) {
        return true;
      }
    }
    return false;
  }

  /** Takes the retentions out of a snapshot. */
  void restore(List<RetentionClass> restored, int standardNumber) {
    retentions.clear();
    retentions.addAll(restored);
    standard = new Setting(restored.get(standardNumber), false, null);
  }

  /** The limit that stands in the way of setting something for this scope, or empty (K6). */
  String obstacleToSetting(Principal who, Scope scope) {
    return settings.containsKey(scope.name())
        ? ""
        : room.obstacleToClosing(who, settingCost(scope.name()));
  }

  private static int settingCost(String name) {
    return Room.SETTING + name.length();
  }

  /** Sets what holds for scopes of this name; the horizon that held so far comes along (K5). */
  void set(Principal who, Scope scope, RetentionClass retention, boolean datedOnly) {
    Setting before = setting(scope);
    carryOver(before.retention(), retention);
    if (before.owner() == null) {
      restoreSetting(who, scope.name(), retention, datedOnly);
    } else {
      settings.put(scope.name(), new Setting(retention, datedOnly, before.owner()));
    }
  }

  /** A setting that was not there, or that a snapshot has. */
  void restoreSetting(Principal owner, String name, RetentionClass retention, boolean datedOnly) {
    settings.put(name, new Setting(retention, datedOnly, owner));
    room.charge(owner, settingCost(name));
  }

  /** From now on the standard holds for scopes of this name. */
  void unset(Scope scope) {
    Setting before = settings.remove(scope.name());
    if (before != null && before.owner() != null) {
      carryOver(before.retention(), standard.retention());
      room.charge(before.owner(), -settingCost(scope.name()));
    }
  }

  /** Sets what holds for scopes that nothing was set for. */
  void setStandard(RetentionClass retention) {
    carryOver(standard.retention(), retention);
    standard = new Setting(retention, false, null);
  }

  private static void carryOver(RetentionClass from, RetentionClass to) {
    to.raiseHorizon(from.horizonMicros);
    to.droppedMillis = Math.max(to.droppedMillis, from.droppedMillis);
  }

  private long hashOf(Principal who, Scope scope) {
    return hash.of(who.number, scope.name());
  }
}
