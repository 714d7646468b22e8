package io.onceward.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The principals that own something, and their other names (L3).
 *
 * <p>A principal is entered when it first owns a session or a key, so a stranger who is only
 * refused leaves nothing behind. Numbers are given in log order and never again.
 */
final class Principals {
  private final TreeMap<String, Principal> byName = new TreeMap<>();
  private final List<Principal> byNumber = new ArrayList<>();
  private String lastName = "";
  private Principal last = new Principal(0, "");

  /** The principal of this name; a passing stranger when it owns nothing. */
  Principal called(String name) {
    if (!name.equals(lastName) || !last.isEntered()) {
      Principal known = byName.get(name);
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
    Principal known = byName.get(who.name);
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

  /**
   * From now on {@code name}, which owns nothing, means the principal {@code who}, and so does
   * every name that meant the same as {@code name}.
   */
  void alias(String name, Principal who) {
    Principal target = enter(who);
    Principal former = byName.get(name);
    if (former != null) {
      byName.replaceAll((any, meant) -> meant == former ? target : meant);
    }
    byName.put(name, target);
    lastName = "";
    last = new Principal(0, "");
  }

  /** All names in order, each with the number of the principal that it means. */
  TreeMap<String, Principal> names() {
    return byName;
  }
}
