package io.onceward.cli;

import io.onceward.Bytes;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Bytes as people and programs see them: as text where they are text, encoded otherwise. */
final class BytesText {
  private static final int MOST_SHOWN = 60;

  private BytesText() {}

  /** In one line of a table, cut if it is long; what is no text is hexadecimal. */
  static String shown(Bytes bytes) {
    String text = exact(bytes);
    String line =
        text == null
            ? "bytes " + HexFormat.of().formatHex(bytes.toArray())
            : OneLine.of(text.replace('\n', ' ').replace('\r', ' ').replace('\t', ' '));
    return line.length() <= MOST_SHOWN
        ? line
        : line.substring(0, MOST_SHOWN) + "... (" + bytes.length() + " bytes)";
  }

  /** As a member of an object: {@code name} if it is text, {@code nameBase64} otherwise. */
  static Json add(Json json, String name, Bytes bytes) {
    String text = exact(bytes);
    return text != null ? json.text(name, text) : json.text(name + "Base64", base64(bytes));
  }

  /**
   * The bytes read as UTF-8, or null if they are not text: malformed, or with control characters.
   */
  static @Nullable String exact(Bytes bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(bytes.asBuffer()).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t') {
        return null;
      }
    }
    return text;
  }

  private static String base64(Bytes bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }
}
