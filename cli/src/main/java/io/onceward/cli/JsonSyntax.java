package io.onceward.cli;

import io.onceward.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether bytes are one JSON value (RFC 8259). */
final class JsonSyntax {
  private static final int MAX_DEPTH = 1_000;
  private static final Pattern SCALAR =
      Pattern.compile(
          "true|false|null|-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
              + "|\"(?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+\"");

  private final String text;
  private int at;

  private JsonSyntax(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException if they are not; the message says where they cease to be
   */
  static void check(Bytes bytes) {
    String text;
    try {
      text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toArray())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the reply is not UTF-8, so it is no JSON", e);
    }
    JsonSyntax json = new JsonSyntax(text);
    json.value(0);
    if (json.at < text.length()) {
      throw json.wrong();
    }
  }

  private void value(int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("the reply is nested too deeply");
    }
    space();
    if (take('{')) {
      members(depth);
    } else if (take('[')) {
      space();
      if (!take(']')) {
        do {
          value(depth + 1);
        } while (take(','));
        require(']');
      }
    } else {
      scalar(false);
    }
    space();
  }

  private void members(int depth) {
    space();
    if (take('}')) {
      return;
    }
    do {
      space();
      scalar(true);
      space();
      require(':');
      value(depth + 1);
    } while (take(','));
    require('}');
  }

  private void scalar(boolean name) {
    Matcher matcher = SCALAR.matcher(text).region(at, text.length());
    if (!matcher.lookingAt() || name && text.charAt(at) != '"') {
      throw wrong();
    }
    at = matcher.end();
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean take(char wanted) {
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void require(char wanted) {
    if (!take(wanted)) {
      throw wrong();
    }
  }

  private IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        "the reply is no JSON from character " + (at + 1) + " on; a text stands in quotes");
  }
}
