package io.onceward.benchmarks.cluster;

import java.util.Map;
import java.util.TreeMap;

/** A line of {@code name=value} words, by which the processes of a measurement talk. */
final class Words {
  private final Map<String, String> values = new TreeMap<>();

  Words with(String name, Object value) {
    values.put(name, value.toString());
    return this;
  }

  static Words parse(String line) {
    Words words = new Words();
    for (String word : line.strip().split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return words;
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no " + name + " among " + values.keySet());
    }
    return value;
  }

  int number(String name) {
    return Integer.parseInt(text(name));
  }

  long large(String name) {
    return Long.parseLong(text(name));
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    values.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.substring(Math.min(1, line.length()));
  }
}
