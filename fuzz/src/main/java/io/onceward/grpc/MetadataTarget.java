package io.onceward.grpc;

import io.grpc.Metadata;
import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.fuzz.Frugal;
import io.onceward.guard.GuardedId;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Searches for metadata and remembered replies that upset the gRPC home: a key that fails otherwise
 * than with a reason for its caller, or a reply that does not come back.
 */
public final class MetadataTarget {

  private MetadataTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String value = new String(input, StandardCharsets.ISO_8859_1);
    Frugal.check(input.length, () -> checkKey(value));
    Frugal.check(input.length, () -> checkReply(Bytes.of(input)));
  }

  private static void checkKey(String value) {
    Metadata headers = new Metadata();
    headers.put(CallKey.METADATA, value);
    String fault = CallKey.fault(headers);
    if (fault != null) {
      if (fault.isEmpty()) {
        throw new AssertionError("refused without a reason");
      }
      return;
    }
    // Metadata are ASCII: what is not becomes question marks on the way.
    Key key = GuardedId.keyOf(Objects.requireNonNull(headers.get(CallKey.METADATA)));
    if (!Key.parse(key.toString()).equals(key)) {
      throw new AssertionError(key + " does not read as it was printed");
    }
  }

  private static void checkReply(Bytes bytes) {
    StoredReply stored = StoredReply.in(Reply.ok(bytes));
    if (stored == null) {
      return;
    }
    stored.trailers();
    StoredReply again = StoredReply.in(stored.toReply());
    if (again == null
        || !again.toReply().equals(stored.toReply())
        || again.status().getCode() != stored.status().getCode()) {
      throw new AssertionError("not the same again: " + stored.status());
    }
  }
}
