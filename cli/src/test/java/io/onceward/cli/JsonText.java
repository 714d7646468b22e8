package io.onceward.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly, by code that shares nothing with the code that writes it. */
final class JsonText {
  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  @SuppressWarnings("unchecked") // a cast that fails is what the test wants to see
  static Map<String, Object> object(String text) {
    JsonText json = new JsonText(text);
    Object value = json.value();
    if (json.at != text.length()) {
      throw json.wrong("the end");
    }
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked") // likewise
  static List<Map<String, Object>> objects(Map<String, Object> object, String name) {
    return (List<Map<String, Object>>) object.get(name);
  }

  private Object value() {
    char c = peek();
    if (c == '{') {
      return members();
    }
    if (c == '[') {
      return elements();
    }
    if (c == '"') {
      return string();
    }
    for (String word : List.of("true", "false", "null")) {
      if (text.startsWith(word, at)) {
        at += word.length();
        return word.equals("null") ? "null" : Boolean.valueOf(word);
      }
    }
    int start = at;
    while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (start == at) {
      throw wrong("a value");
    }
    return Long.valueOf(text.substring(start, at));
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    take('{');
    while (peek() != '}') {
      if (!members.isEmpty()) {
        take(',');
      }
      String name = string();
      take(':');
      if (members.put(name, value()) != null) {
        throw new AssertionError(name + " is there twice in " + text);
      }
    }
    take('}');
    return members;
  }

  private List<Object> elements() {
    List<Object> elements = new ArrayList<>();
    take('[');
    while (peek() != ']') {
      if (!elements.isEmpty()) {
        take(',');
      }
      elements.add(value());
    }
    take(']');
    return elements;
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    take('"');
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw wrong("no control character");
      }
      if (c == '\\') {
        c = text.charAt(at++);
        if (c == 'u') {
          c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
          at += 4;
        } else if (c != '"' && c != '\\') {
          throw wrong("a known escape");
        }
      }
      string.append(c);
    }
    take('"');
    return string.toString();
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("more");
    }
    return text.charAt(at);
  }

  private void take(char expected) {
    if (peek() != expected) {
      throw wrong("'" + expected + "'");
    }
    at++;
  }

  private AssertionError wrong(String expected) {
    return new AssertionError("expected " + expected + " at " + at + " in " + text);
  }
}
