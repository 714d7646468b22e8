package io.onceward.guard;

import io.onceward.Key;
import java.nio.charset.StandardCharsets;

/** Makes the text that stands for a request in an outside system. */
final class IdempotencyKeys {
  private IdempotencyKeys() {}

  static String of(GuardedId id) {
    Key digest =
        Key.contentHash(
            id.principal().getBytes(StandardCharsets.UTF_8),
            id.scope().name().getBytes(StandardCharsets.UTF_8),
            new byte[] {(byte) id.key().kind().code()},
            bytes(id.key().high()),
            bytes(id.key().low()));
    return "ow-"
        + java.util.HexFormat.of().toHexDigits(digest.high())
        + java.util.HexFormat.of().toHexDigits(digest.low());
  }

  private static byte[] bytes(long value) {
    return java.nio.ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }
}
