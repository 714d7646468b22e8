package io.onceward.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which headers of a response are remembered. The list is positive: what nobody thought of, such as
 * a session cookie or the id of one trace, belongs to one exchange and must not turn up in another.
 */
final class StoredHeaders {
  private static final List<String> BY_DEFAULT =
      List.of(
          // Without them a browser hides a replay from the page that may see the first answer.
          "Access-Control-Allow-Credentials",
          "Access-Control-Allow-Origin",
          "Access-Control-Expose-Headers",
          "Cache-Control",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Language",
          "Content-Location",
          "Content-Type",
          "ETag",
          "Expires",
          "Last-Modified",
          "Link",
          "Location",
          "Preference-Applied",
          "Retry-After",
          "Vary");

  /** Cookies would hand one caller's session to another; the rest belongs to one connection. */
  private static final Set<String> NEVER =
      Set.of(
          "set-cookie",
          "set-cookie2",
          "connection",
          "content-length",
          "date",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authentication-info",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "idempotent-replayed");

  private final Set<String> names;

  private StoredHeaders(Set<String> names) {
    this.names = names;
  }

  static StoredHeaders byDefault() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(BY_DEFAULT);
    return new StoredHeaders(names);
  }

  /**
   * These as well.
   *
   * @throws IllegalArgumentException if one of them must never be remembered
   */
  StoredHeaders and(Collection<String> more) {
    Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    all.addAll(names);
    for (String name : more) {
      if (NEVER.contains(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "the header "
                + name
                + " belongs to one exchange or one connection and is never remembered");
      }
      all.add(name);
    }
    return new StoredHeaders(all);
  }

  boolean contains(String name) {
    return names.contains(name);
  }

  List<String> names() {
    return new ArrayList<>(names);
  }
}
