package io.onceward.testkit.model;

import io.onceward.Decision;
import java.util.HashMap;
import java.util.Map;

/** Who is meant by which name (L3). */
final class Owners {
  private final Map<String, Owner> byName = new HashMap<>();
  private int count;

  Owner called(String name) {
    return byName.computeIfAbsent(name, stranger -> new Owner(++count, name));
  }

  Decision alias(String name, String principal) {
    Owner own = called(name);
    Owner other = called(principal);
    if (own == other && !name.equals(principal)) {
      return new Decision.Done();
    }
    if (name.equals(principal) || own.sessions > 0 || own.bytes > 0) {
      return new Decision.Rejected("this name owns something");
    }
    byName.replaceAll((any, meant) -> meant == own ? other : meant);
    return new Decision.Done();
  }
}
