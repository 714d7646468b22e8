package io.onceward.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The principals that own something, and their other names (L3).
 *
 * <p>A principal is entered when it first owns a session or a key, so a stranger who is only
 * refused leaves nothing behind. Numbers are given in log order and never again.
 *
 * <p>Anyone may ask for an alias and no alias is ever removed, so each is charged to the room of
 * all, and there may only be so many. Each adds one other name and at most one principal.
 */
final class Principals {
  private final TreeMap<String, Principal> byName = new TreeMap<>();
  private final List<Principal> byNumber = new ArrayList<>();
  private final Room room;
  private int aliases;
  private String lastName = "";
  private Principal last = new Principal(0, "");

  Principals(Room room) {
    this.room = room;
  }

  /** The principal of this name; a passing stranger when it owns nothing. */
  Principal called(String name) {
    if (!name.equals(lastName) || !last.isEntered()) {
      Principal known = known(name);
      last = known == null ? new Principal(0, name) : known;
      lastName = name;
    }
    return last;
  }

  /** Makes sure that a principal has a number before it owns something. */
  Principal enter(Principal who) {
    if (who.isEntered()) {
      return who;
    }
    Principal known = known(who.name);
    if (known != null) {
      return known;
    }
    Principal entered = new Principal(byNumber.size() + 1, who.name);
    byNumber.add(entered);
    byName.put(entered.name, entered);
    return entered;
  }

  Principal numbered(int number) {
    return byNumber.get(number - 1);
  }

  int count() {
    return byNumber.size();
  }

  /** Whether the name has ever owned anything, or stands for another principal already. */
  boolean isKnown(String name) {
    return byName.containsKey(name);
  }

  /** The limit that stands in the way of one more alias, or empty. */
  String obstacleToAlias() {
    return room.obstacleToAlias(aliases);
  }

  /** Whether this name and another one mean the same principal, which is known. */
  boolean isAlias(String name, String other) {
    Principal own = known(name);
    return own != null && own == known(other) && !name.equals(other);
  }

  /**
   * From now on {@code name}, which owns nothing, means the principal {@code who}, and so does
   * every name that meant the same as {@code name}.
   */
  void alias(String name, Principal who) {
    Principal target = enter(who);
    Principal former = known(name);
    if (former == target) {
      throw new IllegalStateException("a name of principal " + target.number + " is one already");
    }
    if (former == null) {
      byName.put(name, target);
    } else {
      // Not name by name: there may be very many, and nothing else is applied meanwhile.
      former.successor = target;
    }
    aliases++;
    room.chargeAlias();
    lastName = "";
    last = new Principal(0, "");
  }

  /** Whom a name means now, or null; on the way, the next look becomes a shorter one. */
  private @Nullable Principal known(String name) {
    Principal who = byName.get(name);
    while (who != null && who.successor != who) {
      who.successor = who.successor.successor;
      who = who.successor;
    }
    return who;
  }

  /** The names that stand for a principal called otherwise, in order, each with its number. */
  TreeMap<String, Integer> aliases() {
    TreeMap<String, Integer> found = new TreeMap<>();
    for (String name : byName.keySet()) {
      Principal meant = known(name);
      if (meant != null && !meant.name.equals(name)) {
        found.put(name, meant.number);
      }
    }
    return found;
  }
}
