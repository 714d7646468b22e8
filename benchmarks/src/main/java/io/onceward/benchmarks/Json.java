package io.onceward.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** One JSON object, as far as the report needs it. Members keep the order in which they come. */
public final class Json {
  private final StringJoiner members = new StringJoiner(",", "{", "}");

  public void text(String name, String value) {
    members.add(quoted(name) + ":" + quoted(value));
  }

  public void number(String name, double value) {
    members.add(quoted(name) + ":" + literal(value));
  }

  public void numbers(String name, List<Double> values) {
    StringJoiner array = new StringJoiner(",", "[", "]");
    for (double value : values) {
      array.add(literal(value));
    }
    members.add(quoted(name) + ":" + array);
  }

  public void object(String name, Json value) {
    members.add(quoted(name) + ":" + value);
  }

  private static String literal(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.4f", value);
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
