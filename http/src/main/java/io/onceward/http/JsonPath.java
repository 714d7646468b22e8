package io.onceward.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to one value in a JSON text: {@code data.object.id}, {@code $.events[0].id}, {@code ['odd
 * name'].id}.
 */
record JsonPath(String text, List<Step> steps) {
  /** Into the member of an object, or into the element of an array. */
  record Step(@Nullable String name, int index) {
    private static final int NO_INDEX = -1;

    static Step into(String name) {
      return new Step(name, NO_INDEX);
    }
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException if it is none
   */
  static JsonPath parse(String path) {
    List<Step> steps = new ArrayList<>();
    int at = path.startsWith("$") ? 1 : 0;
    boolean first = at == 0;
    while (at < path.length()) {
      int to;
      if (path.charAt(at) == '[') {
        to = path.indexOf(path.startsWith("['", at) ? "']" : "]", at + 1);
        if (to < 0) {
          throw noPath(path);
        }
        boolean named = path.startsWith("['", at);
        steps.add(
            named
                ? Step.into(path.substring(at + 2, to))
                : new Step(null, index(path, at + 1, to)));
        to += named ? 2 : 1;
      } else {
        int from = first ? at : at + 1;
        if (!first && path.charAt(at) != '.') {
          throw noPath(path);
        }
        to = from;
        while (to < path.length() && path.charAt(to) != '.' && path.charAt(to) != '[') {
          to++;
        }
        if (to == from) {
          throw noPath(path);
        }
        steps.add(Step.into(path.substring(from, to)));
      }
      first = false;
      at = to;
    }
    if (steps.isEmpty()) {
      throw noPath(path);
    }
    return new JsonPath(path, List.copyOf(steps));
  }

  private static int index(String path, int from, int to) {
    try {
      return Integer.parseUnsignedInt(path, from, to, 10);
    } catch (NumberFormatException e) {
      throw noPath(path);
    }
  }

  private static IllegalArgumentException noPath(String path) {
    return new IllegalArgumentException(
        "a path is like data.object.id, $.events[0].id or ['odd name'].id, got " + path);
  }

  @Override
  public String toString() {
    return text;
  }
}
