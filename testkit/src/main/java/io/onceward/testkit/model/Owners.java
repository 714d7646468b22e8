package io.onceward.testkit.model;

import io.onceward.Decision;
import io.onceward.Refusal;
import java.util.HashMap;
import java.util.Map;

/** Who is meant by which name (L3). */
final class Owners {
  private final Map<String, Owner> byName = new HashMap<>();
  private final Accounts accounts;
  private int count;

  Owners(Accounts accounts) {
    this.accounts = accounts;
  }

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
    String limit = accounts.limitForAlias();
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    accounts.takeAlias();
    byName.replaceAll((any, meant) -> meant == own ? other : meant);
    return new Decision.Done();
  }
}
