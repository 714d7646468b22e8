package io.onceward.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
 * @param isEmpty whether the request says nothing by it
 * @param stream where the bytes came from, null if from none
 */
@SuppressWarnings("ArrayRecordComponent")
record RequestBody(
    byte[] bytes,
    byte[] digested,
    boolean inContainer,
    boolean isEmpty,
    @Nullable ServletInputStream stream) {
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
        return new RequestBody(EMPTY, digest(parts), true, parts.isEmpty(), null);
      }
    }
    ServletInputStream in;
    try {
      in = request.getInputStream();
    } catch (IllegalStateException e) {
      if (request.getContentLengthLong() == 0) {
        return new RequestBody(EMPTY, EMPTY, false, true, null);
      }
      throw new ServletException(
          "somebody read the body as text before IdempotencyFilter; put this filter before it", e);
    }
    // A body that a filter in front decoded may be at its end at once, and so may one that somebody
    // has read. A stream that is made anew for each who asks was read by nobody.
    boolean untouched = !in.isFinished();
    byte[] bytes = read(in, request, maxBytes);
    if (type.isForm() && bytes.length == 0) {
      Map<String, String[]> parameters = request.getParameterMap();
      boolean isEmpty = request.getContentLengthLong() == 0 || parameters.isEmpty();
      return new RequestBody(EMPTY, digest(parameters), true, isEmpty, null);
    }
    long missing = request.getContentLengthLong() - bytes.length;
    boolean whole =
        missing <= 0
            || (!isContainers(in, request) && (untouched || request.getInputStream() != in));
    if (type.isMultipartForm() && !(whole && beginsAsMultipart(bytes))) {
      throw new TooLargeException(PARTS_REFUSED);
    }
    if (!whole) {
      throw new ServletException(
          "somebody read "
              + missing
              + " bytes of the body before IdempotencyFilter; put this filter before it");
    }
    return new RequestBody(bytes, bytes, false, bytes.length == 0, in);
  }

  /**
   * That of a request that something in front sends here again: the same, which was read before,
   * unless it has given the request another.
   *
   * @throws TooLargeException if it is over the limit, which may be another than before
   */
  RequestBody again(HttpServletRequest request, MediaType type, int maxBytes)
      throws IOException, ServletException, TooLargeException {
    if (inContainer || hasAnother(request)) {
      return read(request, type, maxBytes);
    }
    if (bytes.length > maxBytes) {
      throw tooLarge(bytes.length, maxBytes);
    }
    return this;
  }

  /** The request as the application may read it, though its body was read before. */
  HttpServletRequest readableIn(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return inContainer || hasAnother(request)
        ? request
        : new PassedRequest(request, this, MediaType.parse(request.getContentType()), response);
  }

  /** Not the container's stream: whatever was read came from it in the end, so it is at its end. */
  private boolean hasAnother(HttpServletRequest request) throws IOException {
    try {
      ServletInputStream in = request.getInputStream();
      return in != stream && !isContainers(in, request);
    } catch (IllegalStateException e) {
      // Read as text. If that was before this was asked the first time, it is empty; else nobody
      // can tell what it is, but not that it is the same.
      return stream != null;
    }
  }

  private static TooLargeException tooLarge(long bytes, int maxBytes) {
    return new TooLargeException("it has " + bytes + " bytes, " + maxBytes + " are allowed");
  }

  /**
   * Whether this is the stream of the container itself, whose length is the announced one. A filter
   * in front that inflates or decodes bodies hands out its own.
   */
  private static boolean isContainers(ServletInputStream in, HttpServletRequest request)
      throws IOException {
    ServletRequest inner = request;
    while (inner instanceof ServletRequestWrapper wrapper) {
      inner = wrapper.getRequest();
    }
    try {
      return inner.getInputStream() == in;
    } catch (IllegalStateException e) {
      // The container's was read as text, so it is another.
      return false;
    }
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

  private static boolean beginsAsMultipart(byte[] bytes) {
    return bytes.length >= 2 && bytes[0] == '-' && bytes[1] == '-';
  }

  /**
   * To its end, wherever that is: the announced length only says how much room is likely needed.
   */
  private static byte[] read(ServletInputStream in, HttpServletRequest request, int maxBytes)
      throws IOException, TooLargeException {
    long announced = request.getContentLengthLong();
    if (announced > maxBytes && isContainers(in, request)) {
      throw tooLarge(announced, maxBytes);
    }
    byte[] likely = new byte[(int) Math.min(announced < 0 ? CHUNK : announced, maxBytes)];
    int length = in.readNBytes(likely, 0, likely.length);
    int next = length < likely.length ? -1 : in.read();
    if (next < 0) {
      return length == likely.length ? likely : Arrays.copyOf(likely, length);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(likely.length + CHUNK);
    bytes.writeBytes(likely);
    bytes.write(next);
    byte[] chunk = new byte[CHUNK];
    for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
      bytes.write(chunk, 0, n);
      if (bytes.size() > maxBytes) {
        break;
      }
    }
    if (bytes.size() > maxBytes) {
      throw new TooLargeException("it has more than the " + maxBytes + " bytes allowed");
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
