package io.onceward.guard;

import io.onceward.Key;
import io.onceward.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a guarded request: who asks, in which scope, under which key (K1, L3). The same
 * key of two principals names two requests, so nobody is ever given the reply of somebody else.
 *
 * @param principal who is authenticated, at most {@link #MAX_PRINCIPAL_BYTES} bytes of UTF-8; empty
 *     where a process speaks for itself alone
 */
public record GuardedId(String principal, Scope scope, Key key) implements Comparable<GuardedId> {
  public static final int MAX_PRINCIPAL_BYTES = 128;

  /** The longest key that a caller may spell, in bytes of UTF-8. Protocols allow 255 characters. */
  public static final int MAX_SPELLED_KEY_BYTES = 255;

  /** The limit of {@link Key#text}. */
  private static final int MAX_TEXT_BYTES = 128;

  public GuardedId {
    Limit.check("a principal", principal, MAX_PRINCIPAL_BYTES);
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
   * The key that a caller from outside spells, in a header for example. One in the shape of a UUID
   * or of a dated id keeps what its date protects it from (K5). Everything else is text, also what
   * looks like a printed digest: nobody may name a digest.
   *
   * @throws IllegalArgumentException if it is empty or over {@link #MAX_SPELLED_KEY_BYTES}
   */
  public static Key keyOf(String spelled) {
    if (spelled.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES) {
      Limit.check("a key", spelled, MAX_SPELLED_KEY_BYTES);
      return digested(spelled);
    }
    boolean reserved =
        spelled.startsWith("h:") || spelled.startsWith("s:") || spelled.startsWith("s#");
    try {
      return reserved ? Key.text(spelled) : Key.parse(spelled);
    } catch (IllegalArgumentException e) {
      return Key.text(spelled);
    }
  }

  /** As {@link Key#text} makes it: its digest is all that is stored and sent of a text. */
  static Key digested(String text) {
    try {
      ByteBuffer digest =
          ByteBuffer.wrap(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
      return Key.of(Key.Kind.TEXT, digest.getLong(), digest.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * What an outside system is handed as its idempotency key (G4): the same for all retries,
   * different for every other request, also of other principals and scopes, and telling nothing
   * about them. 1 to 64 characters of {@code a-z 0-9 -}.
   */
  public String idempotencyKey() {
    return IdempotencyKeys.of(this);
  }

  /**
   * By key, then scope, then principal. An order lets a hash table search among ids that somebody
   * made to collide, instead of walking past all of them.
   */
  @Override
  public int compareTo(GuardedId other) {
    int order = key.compareTo(other.key);
    if (order == 0) {
      order = scope.name().compareTo(other.scope.name());
    }
    return order != 0 ? order : principal.compareTo(other.principal);
  }

  // By hand, like the next: what a record is given costs more, and a guard hashes on every request.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GuardedId that
        && key.equals(that.key)
        && scope.name().equals(that.scope.name())
        && principal.equals(that.principal);
  }

  @Override
  public int hashCode() {
    return (key.hashCode() * 31 + scope.name().hashCode()) * 31 + principal.hashCode();
  }
}
