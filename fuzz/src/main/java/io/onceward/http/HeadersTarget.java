package io.onceward.http;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.fuzz.Frugal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Searches for headers and remembered responses that upset the HTTP home: a key header that fails
 * otherwise than with a reason for its caller, a quoted key that is another one than the bare one,
 * a media type that reads otherwise once it is canonical, a response that does not come back, JSON
 * whose canonical form has another one.
 */
public final class HeadersTarget {
  private static final int LONGEST_REASON = 300;
  private static final JsonPath PATH = JsonPath.parse("data[1].id");

  private HeadersTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    // As servers hand headers over.
    String value = new String(input, StandardCharsets.ISO_8859_1);
    Frugal.check(input.length, () -> checkKey(value));
    Frugal.check(input.length, () -> checkMediaType(value));
    Frugal.check(input.length, () -> checkResponse(Bytes.of(input)));
    Frugal.check(input.length, () -> checkJson(input));
  }

  private static void checkKey(String value) {
    Key key;
    String text;
    try {
      text = KeyHeader.text(value);
      key = KeyHeader.parse(value);
    } catch (MalformedKeyException refused) {
      String reason = refused.getMessage();
      if (reason == null || reason.isEmpty() || reason.length() > LONGEST_REASON) {
        throw new AssertionError("refused without a reason, or with too long a one", refused);
      }
      return;
    }
    String quoted = '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    try {
      if (!KeyHeader.parse(quoted).equals(key)) {
        throw new AssertionError(quoted + " is another key than " + value);
      }
    } catch (MalformedKeyException refused) {
      throw new AssertionError(quoted + " is refused, but not " + value, refused);
    }
  }

  private static void checkMediaType(String value) {
    String canonical = MediaType.parse(value).canonical();
    if (!MediaType.parse(canonical).canonical().equals(canonical)) {
      throw new AssertionError(canonical + " reads otherwise");
    }
  }

  private static void checkResponse(Bytes bytes) {
    StoredResponse stored = StoredResponse.in(Reply.ok(bytes));
    if (stored != null && !stored.equals(StoredResponse.in(stored.toReply()))) {
      throw new AssertionError("not the same again: " + stored);
    }
  }

  private static void checkJson(byte[] body) {
    try {
      String unused = JsonText.find(body, MediaType.NONE, PATH);
    } catch (MalformedKeyException refused) {
      if (refused.getMessage().isEmpty()) {
        throw new AssertionError("refused without a reason", refused);
      }
    }
    byte[] canonical = JsonText.canonical(body);
    if (canonical != null && !Arrays.equals(canonical, JsonText.canonical(canonical))) {
      throw new AssertionError("the canonical form has another one");
    }
  }
}
