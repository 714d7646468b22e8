package io.onceward.cli;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** One JSON object on one line. Members keep the order in which they come. */
final class Json {
  private final StringJoiner members = new StringJoiner(",", "{", "}");

  Json text(String name, @Nullable String value) {
    return member(name, value == null ? "null" : quoted(value));
  }

  Json number(String name, long value) {
    return member(name, Long.toString(value));
  }

  Json flag(String name, boolean value) {
    return member(name, Boolean.toString(value));
  }

  Json object(String name, Json value) {
    return member(name, value.toString());
  }

  Json objects(String name, List<Json> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(value.toString()));
    return member(name, array.toString());
  }

  Json texts(String name, List<String> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    values.forEach(value -> array.add(quoted(value)));
    return member(name, array.toString());
  }

  /** All members of another object, after those of this one. */
  Json and(Json more) {
    String text = more.members.toString();
    if (text.length() > 2) {
      members.add(text.substring(1, text.length() - 1));
    }
    return this;
  }

  private Json member(String name, String literal) {
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
