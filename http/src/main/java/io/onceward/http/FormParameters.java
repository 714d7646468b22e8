package io.onceward.http;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the parameters of a form from its bytes, in place of the container, whose copy of the body
 * was taken by the fingerprint.
 */
final class FormParameters {
  private FormParameters() {}

  /** Whether the parameters of this request are read here, if its body is. */
  static boolean areIn(HttpServletRequest request, MediaType type) {
    return type.isForm() && "POST".equals(request.getMethod());
  }

  /**
   * Checks, before anything is built, how many there are.
   *
   * @throws RequestBody.TooLargeException if there are more
   */
  static void requireAtMost(
      int maxParameters, HttpServletRequest request, MediaType type, RequestBody body)
      throws RequestBody.TooLargeException {
    if (!areIn(request, type) || body.inContainer()) {
      return;
    }
    int count = 0;
    boolean within = false;
    for (byte each : body.bytes()) {
      boolean begins = each != '&' && !within;
      within = each != '&';
      if (begins && ++count > maxParameters) {
        throw new RequestBody.TooLargeException(
            "it has more than the " + maxParameters + " parameters allowed");
      }
    }
  }

  /** Those of the query first, then those of the form, as servlets have them. */
  static Map<String, String[]> of(Map<String, String[]> query, byte[] form, Charset charset) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    query.forEach((name, values) -> all.put(name, new ArrayList<>(List.of(values))));
    // Latin-1 keeps each byte a character of its own; the charset counts after the unescaping.
    String text = new String(form, StandardCharsets.ISO_8859_1);
    for (int from = 0; from <= text.length(); ) {
      int to = text.indexOf('&', from);
      to = to < 0 ? text.length() : to;
      if (to > from) {
        int equals = from;
        while (equals < to && text.charAt(equals) != '=') {
          equals++;
        }
        String name = unescape(text, from, equals, charset);
        String value = equals == to ? "" : unescape(text, equals + 1, to, charset);
        all.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
      }
      from = to + 1;
    }
    Map<String, String[]> parameters = new LinkedHashMap<>();
    all.forEach((name, values) -> parameters.put(name, values.toArray(new String[0])));
    return parameters;
  }

  /** An escape that is none stands for itself: nothing that was sent is dropped. */
  private static String unescape(String text, int from, int to, Charset charset) {
    byte[] bytes = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '+') {
        c = ' ';
      } else if (c == '%' && i + 2 < to) {
        int high = Character.digit(text.charAt(i + 1), 16);
        int low = Character.digit(text.charAt(i + 2), 16);
        if (high >= 0 && low >= 0) {
          c = (char) (high << 4 | low);
          i += 2;
        }
      }
      bytes[length++] = (byte) c;
    }
    return new String(bytes, 0, length, charset);
  }
}
