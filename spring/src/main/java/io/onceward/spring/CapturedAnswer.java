package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.http.KeyHeader;
import io.onceward.http.StoredResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;

/**
 * Takes what a handler method, and Spring for it, answers: nothing of it goes out before it is
 * remembered and committed. What goes out then is what was remembered, and cookies, which are never
 * remembered.
 */
final class CapturedAnswer extends HttpServletResponseWrapper {
  /** Of one connection or transmission, or written by the container. */
  private static final Set<String> NOT_KEPT =
      Set.of("connection", "transfer-encoding", "content-length", "date", "keep-alive");

  private static final Set<String> COOKIES = Set.of("set-cookie", "set-cookie2");
  private static final int MAX_BYTES = 1 << 20;
  private static final String DEFAULT_CHARSET = "ISO-8859-1";

  private final List<StoredResponse.Header> headers = new ArrayList<>();
  private final List<Cookie> cookies = new ArrayList<>();
  private final Body body = new Body();
  private int status = SC_OK;
  private @Nullable String contentType;
  private @Nullable String charset;
  private @Nullable PrintWriter writer;
  private boolean errorSent;
  private @Nullable String errorMessage;

  CapturedAnswer(HttpServletResponse response) {
    super(response);
  }

  /** Whether more was written than any home remembers. */
  boolean isTooLarge() {
    // A writer may still hold the last of it.
    flushBuffer();
    return body.tooLarge;
  }

  /** Whether it was left to an error page, which is rendered later and so cannot be remembered. */
  boolean isLeftToErrorPage() {
    return errorSent;
  }

  /** What the error page is to say. */
  @Nullable String errorMessage() {
    return errorMessage;
  }

  /** The error page writes from now on. */
  void beginErrorPage() {
    errorSent = false;
    resetBuffer();
    contentType = null;
  }

  boolean isOfTomcat() {
    ServletResponse inner = getResponse();
    while (inner instanceof ServletResponseWrapper wrapper) {
      inner = wrapper.getResponse();
    }
    return inner.getClass().getName().equals("org.apache.catalina.connector.ResponseFacade");
  }

  /** What is remembered. */
  StoredResponse kept() {
    if (writer != null) {
      writer.flush();
    }
    List<StoredResponse.Header> kept = new ArrayList<>();
    String type = getContentType();
    if (type != null) {
      kept.add(new StoredResponse.Header(HttpHeaders.CONTENT_TYPE, type));
    }
    for (StoredResponse.Header header : headers) {
      if (!COOKIES.contains(lower(header.name()))) {
        kept.add(header);
      }
    }
    return StoredResponse.of(status, kept, Bytes.of(body.bytes.toByteArray()));
  }

  /** Hands out an answer that is remembered, and the cookies that go with its first copy. */
  void handOut(StoredResponse answer) throws IOException {
    HttpServletResponse response = (HttpServletResponse) getResponse();
    for (StoredResponse.Header header : headers) {
      if (COOKIES.contains(lower(header.name()))) {
        response.addHeader(header.name(), header.value());
      }
    }
    cookies.forEach(response::addCookie);
    write(answer, response);
  }

  static void replay(StoredResponse answer, HttpServletResponse response) throws IOException {
    response.setHeader(KeyHeader.REPLAYED, "true");
    write(answer, response);
  }

  private static void write(StoredResponse answer, HttpServletResponse response)
      throws IOException {
    response.setStatus(answer.status());
    Map<String, List<String>> byName = new LinkedHashMap<>();
    for (StoredResponse.Header header : answer.headers()) {
      byName.computeIfAbsent(lower(header.name()), any -> new ArrayList<>()).add(header.value());
    }
    for (StoredResponse.Header header : answer.headers()) {
      List<String> values = byName.remove(lower(header.name()));
      if (values == null) {
        continue;
      }
      if (header.name().equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
        response.setContentType(values.get(0));
      } else if (header.name().equalsIgnoreCase(HttpHeaders.VARY)) {
        // Filters in front of this have said theirs already, for this copy too.
        values.removeAll(response.getHeaders(HttpHeaders.VARY));
        values.forEach(value -> response.addHeader(header.name(), value));
      } else {
        response.setHeader(header.name(), values.get(0));
        values.stream().skip(1).forEach(value -> response.addHeader(header.name(), value));
      }
    }
    byte[] bytes = answer.body().toArray();
    if (bytes.length > 0) {
      response.setContentLength(bytes.length);
      response.getOutputStream().write(bytes);
    }
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void setStatus(int status) {
    this.status = status;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    this.status = status;
    errorSent = true;
    errorMessage = message;
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  // Overrides from Servlet 6.1 on, and so does each method below that has no annotation.
  public void sendRedirect(String location, boolean clearBuffer) {
    sendRedirect(location, SC_FOUND, clearBuffer);
  }

  public void sendRedirect(String location, int status) {
    sendRedirect(location, status, true);
  }

  public void sendRedirect(String location, int status, boolean clearBuffer) {
    if (clearBuffer) {
      resetBuffer();
    }
    setStatus(status);
    setHeader(HttpHeaders.LOCATION, location);
  }

  @Override
  public void addCookie(Cookie cookie) {
    cookies.add(cookie);
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    if (value != null) {
      addHeader(name, value);
    } else if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
      contentType = null;
    }
  }

  @Override
  public void addHeader(String name, String value) {
    if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
      setContentType(value);
    } else if (!NOT_KEPT.contains(lower(name))) {
      headers.add(new StoredResponse.Header(name, value));
    }
  }

  @Override
  public void setIntHeader(String name, int value) {
    setHeader(name, Integer.toString(value));
  }

  @Override
  public void addIntHeader(String name, int value) {
    addHeader(name, Integer.toString(value));
  }

  @Override
  public void setDateHeader(String name, long date) {
    setHeader(name, dated(date));
  }

  @Override
  public void addDateHeader(String name, long date) {
    addHeader(name, dated(date));
  }

  private static String dated(long date) {
    HttpHeaders headers = new HttpHeaders();
    headers.setDate("d", date);
    return String.valueOf(headers.getFirst("d"));
  }

  @Override
  public boolean containsHeader(String name) {
    return getHeader(name) != null;
  }

  @Override
  public @Nullable String getHeader(String name) {
    if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
      return getContentType();
    }
    Collection<String> values = getHeaders(name);
    return values.isEmpty() ? null : values.iterator().next();
  }

  @Override
  public Collection<String> getHeaders(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(StoredResponse.Header::value)
        .toList();
  }

  @Override
  public Collection<String> getHeaderNames() {
    Set<String> names = new LinkedHashSet<>();
    headers.forEach(header -> names.add(header.name()));
    return names;
  }

  @Override
  public void setContentType(@Nullable String type) {
    contentType = type;
    if (type != null && StringUtils.hasText(type)) {
      Charset told = charsetOf(type);
      charset = told == null ? charset : told.name();
    }
  }

  private static @Nullable Charset charsetOf(String type) {
    try {
      return MediaType.parseMediaType(type).getCharset();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public @Nullable String getContentType() {
    return contentType == null || charset == null || charsetOf(contentType) != null
        ? contentType
        : contentType + ";charset=" + charset;
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    if (writer == null) {
      this.charset = charset;
    }
  }

  public void setCharacterEncoding(@Nullable Charset charset) {
    setCharacterEncoding(charset == null ? null : charset.name());
  }

  @Override
  public String getCharacterEncoding() {
    return charset == null ? DEFAULT_CHARSET : charset;
  }

  @Override
  public void setTrailerFields(Supplier<Map<String, String>> trailers) {
    throw new IllegalStateException("trailers of a method with @Once cannot be remembered");
  }

  @Override
  public void setLocale(Locale locale) {
    setHeader(HttpHeaders.CONTENT_LANGUAGE, locale.toLanguageTag());
  }

  @Override
  public void setContentLength(int length) {}

  @Override
  public void setContentLengthLong(long length) {}

  @Override
  public void setBufferSize(int size) {}

  @Override
  public ServletOutputStream getOutputStream() {
    return body;
  }

  @Override
  public PrintWriter getWriter() {
    if (writer == null) {
      charset = getCharacterEncoding();
      writer = new PrintWriter(new OutputStreamWriter(body, Charset.forName(charset)));
    }
    return writer;
  }

  @Override
  public void flushBuffer() {
    if (writer != null) {
      writer.flush();
    }
  }

  @Override
  public boolean isCommitted() {
    return false;
  }

  @Override
  public void resetBuffer() {
    flushBuffer();
    body.bytes.reset();
    body.tooLarge = false;
  }

  @Override
  public void reset() {
    resetBuffer();
    headers.clear();
    cookies.clear();
    status = SC_OK;
    contentType = null;
    charset = null;
    writer = null;
  }

  /** Takes what anybody would remember of a body, and notices when it is more. */
  private static final class Body extends ServletOutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean tooLarge;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      tooLarge |= bytes.size() + (long) length > MAX_BYTES;
      if (!tooLarge) {
        bytes.write(from, offset, length);
      }
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new IllegalStateException(
          "a method with @Once writes its answer while it runs, and not later");
    }
  }
}
