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

  /** Of maps, lists, texts, numbers, truth values and null. */
  String text(@Nullable Object tree) {
    StringBuilder out = new StringBuilder();
    append(tree, out);
    return out.toString();
  }

  private void append(@Nullable Object tree, StringBuilder out) {
    if (tree instanceof Map<?, ?> object) {
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
            append(value, out);
            out.append(',');
          });
      out.append('}');
    } else if (tree instanceof Collection<?> array) {
      List<String> elements = new ArrayList<>();
      array.forEach(each -> elements.add(text(each)));
      if (!order) {
        Collections.sort(elements);
      }
      out.append('[');
      elements.forEach(each -> out.append(each).append(','));
      out.append(']');
    } else if (tree instanceof Number number) {
      out.append(new BigDecimal(number.toString()).stripTrailingZeros());
    } else if (tree instanceof Boolean || tree == null) {
      out.append(tree);
    } else {
      quote(tree.toString(), out);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
  }
}
