package io.onceward.fuzz;

import io.onceward.Key;
import io.onceward.RequestId;
import java.nio.charset.StandardCharsets;

/**
 * Searches for texts that upset the parsers of ids, which people and programs hand over: any
 * exception but {@link IllegalArgumentException} with a reason, an id that reads otherwise once it
 * is printed, or two keys that are equal and print otherwise.
 */
public final class IdsTarget {
  private IdsTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    Frugal.check(input.length, () -> checkId(text));
    Frugal.check(input.length, () -> checkKey(text));
    // Chars as they come: lone surrogates too, which no UTF-8 can spell.
    String raw = new String(input, StandardCharsets.UTF_16BE);
    Frugal.check(input.length, () -> checkId(raw));
  }

  private static void checkId(String text) {
    RequestId id;
    try {
      id = RequestId.parse(text);
    } catch (IllegalArgumentException refused) {
      requireReason(refused);
      return;
    }
    String printed = id.print();
    if (!RequestId.parse(printed).equals(id) || !RequestId.parse(printed).print().equals(printed)) {
      throw new AssertionError(printed + " does not read as it was printed");
    }
  }

  private static void checkKey(String text) {
    Key key;
    try {
      key = Key.parse(text);
    } catch (IllegalArgumentException refused) {
      requireReason(refused);
      return;
    }
    if (!Key.parse(key.toString()).equals(key)) {
      throw new AssertionError(key + " does not read as it was printed");
    }
    Key received = Key.of(key.kind(), key.high(), key.low());
    if (!received.equals(key) || !Key.parse(received.toString()).equals(key)) {
      throw new AssertionError(key + " is another one once it was sent");
    }
    if (key.isDated() && key.dateMicros() < 0) {
      throw new AssertionError(key + " is from before the epoch");
    }
  }

  private static void requireReason(IllegalArgumentException refused) {
    if (refused.getMessage() == null || refused.getMessage().length() > 1000) {
      throw new AssertionError("refused without a reason, or with too long a one", refused);
    }
  }
}
