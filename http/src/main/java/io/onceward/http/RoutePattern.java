package io.onceward.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests a route is for: {@code POST /orders/{id}/payments}, {@code /admin/**}. The method
 * may be missing; {@code {…}} and {@code *} stand for one segment, a {@code **} at the end for all
 * that may follow.
 */
final class RoutePattern {
  private final @Nullable String method;
  private final List<String> segments;
  private final boolean open;

  private RoutePattern(@Nullable String method, List<String> segments, boolean open) {
    this.method = method;
    this.segments = segments;
    this.open = open;
  }

  static RoutePattern parse(String pattern) {
    int blank = pattern.indexOf(' ');
    String path = pattern.substring(blank + 1).trim();
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "a route is a path such as \"POST /orders/{id}\" or \"/orders/**\", got " + pattern);
    }
    boolean open = path.endsWith("/**");
    String fixed = open ? path.substring(0, path.length() - 3) : path;
    List<String> segments = List.of(fixed.split("/", -1));
    if (segments.contains("**")) {
      throw new IllegalArgumentException("** stands only at the end of a route, got " + pattern);
    }
    return new RoutePattern(blank < 0 ? null : pattern.substring(0, blank), segments, open);
  }

  boolean matches(String requestMethod, String path) {
    if (method != null && !method.equals(requestMethod)) {
      return false;
    }
    int from = 0;
    for (int i = 0; i < segments.size(); i++) {
      if (from > path.length()) {
        return false;
      }
      int to = path.indexOf('/', from);
      to = to < 0 ? path.length() : to;
      if (!matches(segments.get(i), path, from, to)) {
        return false;
      }
      from = to + 1;
    }
    return open || from > path.length();
  }

  private static boolean matches(String segment, String path, int from, int to) {
    boolean any = segment.equals("*") || (segment.startsWith("{") && segment.endsWith("}"));
    return any ? to > from : segment.length() == to - from && path.startsWith(segment, from);
  }
}
