package io.onceward.cli.demo;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** One JSON object on one line. Members keep the order in which they come. */
final class JsonLine {
  private final StringJoiner members = new StringJoiner(",", "{", "}");

  JsonLine text(String name, String value) {
    return member(name, quoted(value));
  }

  JsonLine number(String name, long value) {
    return member(name, Long.toString(value));
  }

  JsonLine flag(String name, boolean value) {
    return member(name, Boolean.toString(value));
  }

  JsonLine texts(String name, List<String> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(quoted(value)));
    return member(name, array.toString());
  }

  JsonLine objects(String name, List<JsonLine> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(value.toString()));
    return member(name, array.toString());
  }

  private JsonLine member(String name, String literal) {
    members.add(quoted(name) + ":" + literal);
    return this;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
