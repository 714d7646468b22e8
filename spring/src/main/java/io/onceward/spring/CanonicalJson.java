package io.onceward.spring;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One spelling for each JSON value: names in order, numbers without needless digits, nothing in
 * between.
 *
 * @param nulls whether a property that is null differs from one that is absent
 * @param order whether the order of arrays counts; that of a set is chance
 */
record CanonicalJson(boolean nulls, boolean order) {
  /** As deep as Jackson reads. */
  private static final int MAX_DEPTH = 1_000;

  /** For fingerprints: a new optional field does not make a retry another request. */
  static final CanonicalJson OF_REQUESTS = new CanonicalJson(false, true);

  static final CanonicalJson OF_REQUESTS_WITH_NULLS = new CanonicalJson(true, true);

  /** For values that come back from where they were kept. */
  static final CanonicalJson OF_VALUES = new CanonicalJson(true, false);

  /** Of arguments: those that are null at the end are as if they were not there. */
  byte[] bytesOfAll(List<?> trees) {
    int size = trees.size();
    while (!nulls && size > 0 && trees.get(size - 1) == null) {
      size--;
    }
    return text(trees.subList(0, size)).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Of maps, lists, texts, numbers, truth values and null.
   *
   * @throws IllegalStateException if it is nested more deeply than Jackson reads
   */
  String text(@Nullable Object tree) {
    StringBuilder out = new StringBuilder();
    append(tree, out, 0);
    return out.toString();
  }

  private void append(@Nullable Object tree, StringBuilder out, int depth) {
    if (depth > MAX_DEPTH) {
      throw new IllegalStateException("it is nested more deeply than " + MAX_DEPTH + " levels");
    }
    if (tree instanceof Map<?, ?> object) {
      appendObject(object, out, depth);
    } else if (tree instanceof Collection<?> array) {
      appendArray(array, out, depth);
    } else if (tree instanceof Number number) {
      out.append(new BigDecimal(number.toString()).stripTrailingZeros());
    } else if (tree instanceof Boolean || tree == null) {
      out.append(tree);
    } else {
      quote(tree.toString(), out);
    }
  }

  private void appendObject(Map<?, ?> object, StringBuilder out, int depth) {
    Map<String, @Nullable Object> sorted = new TreeMap<>();
    object.forEach(
        (name, value) -> {
          if (nulls || value != null) {
            sorted.put(String.valueOf(name), value);
          }
        });
    out.append('{');
    sorted.forEach(
        (name, value) -> {
          quote(name, out);
          out.append(':');
          append(value, out, depth + 1);
          out.append(',');
        });
    out.append('}');
  }

  /** Requests have arrays in order, and a sender may nest them: nothing is written twice there. */
  private void appendArray(Collection<?> array, StringBuilder out, int depth) {
    out.append('[');
    List<String> unordered = new ArrayList<>();
    for (Object each : array) {
      int from = out.length();
      append(each, out, depth + 1);
      out.append(',');
      if (!order) {
        unordered.add(out.substring(from));
        out.setLength(from);
      }
    }
    Collections.sort(unordered);
    unordered.forEach(out::append);
    out.append(']');
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
  }
}
