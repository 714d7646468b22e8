package io.onceward.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The media type of a request as far as it is part of what is asked.
 *
 * @param essence type and subtype in lower case, empty if there is none
 * @param charset in lower case; null if none is named
 */
record MediaType(String essence, @Nullable String charset) {
  static final MediaType NONE = new MediaType("", null);

  static MediaType parse(@Nullable String contentType) {
    if (contentType == null) {
      return NONE;
    }
    int end = contentType.indexOf(';');
    String essence = end < 0 ? contentType : contentType.substring(0, end);
    String charset = null;
    for (int at = end; at >= 0 && at < contentType.length(); ) {
      int next = contentType.indexOf(';', at + 1);
      String parameter = contentType.substring(at + 1, next < 0 ? contentType.length() : next);
      String trimmed = parameter.trim();
      if (trimmed.regionMatches(true, 0, "charset=", 0, 8)) {
        charset = trimmed.substring(8).replace("\"", "").trim().toLowerCase(Locale.ROOT);
      }
      at = next;
    }
    return new MediaType(essence.trim().toLowerCase(Locale.ROOT), charset);
  }

  boolean isForm() {
    return essence.equals("application/x-www-form-urlencoded");
  }

  boolean isMultipartForm() {
    return essence.equals("multipart/form-data");
  }

  /** Whether applications may read it as JSON: it says so, or it does not say what it is. */
  boolean mayBeJson() {
    return essence.isEmpty()
        || essence.contains("json")
        || essence.startsWith("text/")
        || essence.equals("application/octet-stream");
  }

  /**
   * What counts in the fingerprint. UTF-8 is what JSON and forms are read as anyway, and clients
   * name it or not as they like; a boundary is drawn anew by each copy.
   */
  String canonical() {
    return charset == null || charset.equals("utf-8") || charset.equals("utf8")
        ? essence
        : essence + ";charset=" + charset;
  }
}
