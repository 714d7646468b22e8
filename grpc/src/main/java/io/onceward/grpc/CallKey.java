package io.onceward.grpc;

import io.grpc.Metadata;
import io.onceward.guard.GuardedId;
import org.jspecify.annotations.Nullable;

/** The key of a call, from its metadata: one word of 1 to 255 visible ASCII characters. */
final class CallKey {
  static final Metadata.Key<String> METADATA =
      Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER);

  private static final int MAX_LENGTH = GuardedId.MAX_SPELLED_KEY_BYTES;

  private CallKey() {}

  /** Why this is no key, for the caller; null if it is one. */
  static @Nullable String fault(Metadata headers) {
    return fault(headers, METADATA);
  }

  static @Nullable String fault(Metadata headers, Metadata.Key<String> key) {
    int count = 0;
    Iterable<String> values = headers.getAll(key);
    if (values != null) {
      for (String unused : values) {
        count++;
      }
    }
    String text = headers.get(key);
    if (text == null || count > 1) {
      return "it is there " + count + " times";
    }
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return "it has " + text.length() + " characters, 1 to " + MAX_LENGTH + " are allowed";
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        return "character " + (i + 1) + " is not a visible ASCII character";
      }
    }
    return null;
  }
}
