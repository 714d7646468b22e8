package io.onceward.guard;

import io.onceward.Key;
import io.onceward.Scope;
import java.util.Objects;

/**
 * The identity of a guarded request: who asks, in which scope, under which key (K1, L3). The same
 * key of two principals names two requests, so nobody is ever given the reply of somebody else.
 *
 * @param principal who is authenticated; empty where a process speaks for itself alone
 */
public record GuardedId(String principal, Scope scope, Key key) {
  public GuardedId {
    Objects.requireNonNull(principal, "principal");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(key, "key");
  }

  /** For a process that speaks for itself and has nothing to tell apart. */
  public static GuardedId of(Key key) {
    return new GuardedId("", Scope.NONE, key);
  }

  public static GuardedId of(String scope, Key key) {
    return new GuardedId("", new Scope(scope), key);
  }

  /**
   * What an outside system is handed as its idempotency key (G4): the same for all retries,
   * different for every other request, also of other principals and scopes, and telling nothing
   * about them. 1 to 64 characters of {@code a-z 0-9 -}.
   */
  public String idempotencyKey() {
    return IdempotencyKeys.of(this);
  }
}
