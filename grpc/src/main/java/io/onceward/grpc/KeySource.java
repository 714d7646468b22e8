package io.onceward.grpc;

import io.grpc.Metadata;
import io.onceward.Key;
import io.onceward.guard.GuardedId;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a call is: in the metadata key {@code idempotency-key}, or where callers put it
 * who do not know of that. Immutable.
 */
public final class KeySource {
  static final KeySource IDEMPOTENCY_KEY = metadata("idempotency-key");

  /** What a call is named by, and how people are shown it. */
  record Found(Key key, String shown) {}

  private final Metadata.@Nullable Key<String> metadata;
  private final @Nullable Function<Object, @Nullable String> field;

  private KeySource(
      Metadata.@Nullable Key<String> metadata, @Nullable Function<Object, @Nullable String> field) {
    this.metadata = metadata;
    this.field = field;
  }

  /** Another metadata key, whose value is one word of 1 to 255 visible ASCII characters. */
  public static KeySource metadata(String name) {
    return new KeySource(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), null);
  }

  /**
   * A part of the message, such as {@code message -> ((Charge) message).getOrderId()}. Null and
   * empty mean that there is no key.
   */
  public static KeySource message(Function<Object, @Nullable String> field) {
    return new KeySource(null, Objects.requireNonNull(field, "field"));
  }

  /**
   * What the call says is its name: method and message. Two calls that say the same are one. An
   * empty message is no name.
   */
  public static KeySource messageHash() {
    return new KeySource(null, null);
  }

  /** The metadata key to look at before the message comes, or null if the key is in the message. */
  Metadata.@Nullable Key<String> metadata() {
    return metadata;
  }

  /**
   * The key, or null if there is none.
   *
   * @param content the message as it is compared
   * @throws IllegalArgumentException if what is there is no key; the message says why
   */
  @Nullable Found find(Metadata headers, String method, Object message, byte[] content) {
    if (metadata != null) {
      String text = headers.get(metadata);
      return text == null ? null : spelled(text);
    }
    if (field != null) {
      String text = field.apply(message);
      return text == null || text.isEmpty() ? null : spelled(text);
    }
    if (content.length == 0) {
      return null;
    }
    Key key = Key.contentHash(method.getBytes(StandardCharsets.UTF_8), content);
    return new Found(key, key.toString());
  }

  private static Found spelled(String text) {
    return new Found(GuardedId.keyOf(text), text);
  }

  /** For who is told that it is missing. */
  String described() {
    return metadata != null ? "the metadata key " + metadata.name() : "a message with a key";
  }
}
