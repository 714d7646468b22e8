package io.onceward.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;

/** The path of a request. */
final class RequestPath {
  private static final String SESSION = ";jsessionid=";

  private RequestPath() {}

  /** As it was sent, without the session that some containers write into it. */
  static String of(HttpServletRequest request) {
    String path = request.getRequestURI();
    if (path.indexOf(';') < 0) {
      return path;
    }
    int from = path.toLowerCase(Locale.ROOT).indexOf(SESSION);
    if (from < 0) {
      return path;
    }
    int to = from + SESSION.length();
    while (to < path.length() && path.charAt(to) != ';' && path.charAt(to) != '/') {
      to++;
    }
    return path.substring(0, from) + path.substring(to);
  }

  /** Decoded, and without the part that leads to the application. */
  static String within(HttpServletRequest request) {
    String info = request.getPathInfo();
    return info == null ? request.getServletPath() : request.getServletPath() + info;
  }
}
