package io.onceward.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: read once, before the key is looked up, because its fingerprint is part of
 * the question (E7).
 *
 * <p>There are three kinds. Most bodies are read whole and given to the application again. The
 * parts of a multipart request are parsed by the container, which keeps them for the application;
 * here they are only digested, name by name, so that a retry with another boundary is the same
 * request. And a form whose parameters somebody asked for before this filter is in the container
 * too.
 *
 * @param bytes what the application is to read, if {@code inContainer} is false
 * @param digested what stands for the body in the fingerprint
 */
@SuppressWarnings("ArrayRecordComponent")
record RequestBody(byte[] bytes, byte[] digested, boolean inContainer) {
  private static final byte[] EMPTY = {};
  private static final int CHUNK = 8192;
  private static final String PARTS_REFUSED =
      "its parts are over a limit of the server, or malformed";

  /**
   * Reads it.
   *
   * @throws TooLargeException if it is over the limit, here or in the container
   */
  static RequestBody read(HttpServletRequest request, MediaType type, int maxBytes)
      throws IOException, ServletException, TooLargeException {
    if (type.isMultipartForm()) {
      Collection<Part> parts = parts(request);
      if (parts != null) {
        return new RequestBody(EMPTY, digest(parts), true);
      }
    }
    byte[] bytes = read(request, maxBytes);
    if (type.isForm() && bytes.length == 0) {
      return new RequestBody(EMPTY, digest(request.getParameterMap()), true);
    }
    if (type.isMultipartForm() && !isWholeMultipart(bytes, request)) {
      throw new TooLargeException(PARTS_REFUSED);
    }
    long announced = request.getContentLengthLong();
    if (bytes.length < announced) {
      throw new ServletException(
          "somebody read "
              + (announced - bytes.length)
              + " bytes of the body before IdempotencyFilter; put this filter before it");
    }
    return new RequestBody(bytes, bytes, false);
  }

  /**
   * The parts as the container has them, or null if nobody set it up for this servlet. Containers
   * say with the same exceptions that they are not set up and that a limit of theirs is exceeded.
   * If the body can be read afterwards from its beginning to its end, they have not touched it.
   */
  private static @Nullable Collection<Part> parts(HttpServletRequest request)
      throws IOException, TooLargeException {
    try {
      return request.getParts();
    } catch (RuntimeException | ServletException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      if (root.getClass() != IllegalStateException.class) {
        throw new TooLargeException(PARTS_REFUSED);
      }
      return null;
    }
  }

  private static boolean isWholeMultipart(byte[] bytes, HttpServletRequest request) {
    return bytes.length >= 2
        && bytes[0] == '-'
        && bytes[1] == '-'
        && bytes.length >= request.getContentLengthLong();
  }

  private static byte[] read(HttpServletRequest request, int maxBytes)
      throws IOException, TooLargeException {
    long announced = request.getContentLengthLong();
    if (announced == 0) {
      return EMPTY;
    }
    if (announced > maxBytes) {
      throw new TooLargeException("it has " + announced + " bytes, " + maxBytes + " are allowed");
    }
    InputStream in = request.getInputStream();
    if (announced > 0) {
      byte[] bytes = new byte[(int) announced];
      int length = in.readNBytes(bytes, 0, bytes.length);
      return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
      if (n > maxBytes - bytes.size()) {
        throw new TooLargeException("it has more than the " + maxBytes + " bytes allowed");
      }
      bytes.write(chunk, 0, n);
    }
    return bytes.toByteArray();
  }

  private static byte[] digest(Collection<Part> parts) throws IOException {
    MessageDigest all = sha256();
    byte[] chunk = new byte[CHUNK];
    for (Part part : parts) {
      text(all, part.getName());
      text(all, part.getSubmittedFileName());
      text(all, MediaType.parse(part.getContentType()).canonical());
      MessageDigest content = sha256();
      try (InputStream in = part.getInputStream()) {
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          content.update(chunk, 0, n);
        }
      }
      all.update(content.digest());
    }
    return all.digest();
  }

  private static byte[] digest(Map<String, String[]> parameters) {
    MessageDigest all = sha256();
    new TreeMap<>(parameters)
        .forEach(
            (name, values) -> {
              for (String value : values) {
                text(all, name);
                text(all, value);
              }
            });
    return all.digest();
  }

  /** With its length in front, so that the border to the next counts; null is not empty. */
  private static void text(MessageDigest digest, @Nullable String text) {
    byte[] utf8 = text == null ? EMPTY : text.getBytes(StandardCharsets.UTF_8);
    int length = text == null ? -1 : utf8.length;
    for (int shift = 24; shift >= 0; shift -= 8) {
      digest.update((byte) (length >>> shift));
    }
    digest.update(utf8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The body is over a limit. The message says which, for the caller. */
  static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    TooLargeException(String why) {
      super(why);
    }
  }
}
