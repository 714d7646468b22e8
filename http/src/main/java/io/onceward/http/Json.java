package io.onceward.http;

/** Writes JSON strings; nothing more is needed here. */
final class Json {
  private Json() {}

  static String string(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        out.append("\\u").append(java.util.HexFormat.of().toHexDigits(c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
