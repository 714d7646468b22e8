package io.onceward.http;

import io.onceward.http.StoredResponse.Header;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of the container's response when the container has ended a request that the
 * application still works on: it may use its own for another request by then. Status and headers go
 * on from where they were; a body is nobody's any more.
 */
final class EndedResponse implements HttpServletResponse {
  private static final String NO_CHARSET = "ISO-8859-1";

  private final List<Header> headers = new ArrayList<>();
  private int status;
  private @Nullable String mediaType;
  private @Nullable String charset;
  private Locale locale;

  EndedResponse(HttpServletResponse response, List<Header> headers) {
    this.headers.addAll(headers);
    this.headers.removeIf(header -> header.name().equalsIgnoreCase("Content-Type"));
    status = response.getStatus();
    locale = response.getLocale();
    setContentType(response.getContentType());
  }

  @Override
  public synchronized void setStatus(int status) {
    this.status = status;
  }

  @Override
  public synchronized int getStatus() {
    return status;
  }

  @Override
  public synchronized void setHeader(String name, @Nullable String value) {
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    if (value != null) {
      addHeader(name, value);
    } else if (name.equalsIgnoreCase("Content-Type")) {
      setContentType(null);
    }
  }

  @Override
  public synchronized void addHeader(String name, String value) {
    if (name.equalsIgnoreCase("Content-Type")) {
      setContentType(value);
    } else {
      headers.add(new Header(name, value));
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
  public void setDateHeader(String name, long millis) {
    setHeader(name, HttpDate.of(millis));
  }

  @Override
  public void addDateHeader(String name, long millis) {
    addHeader(name, HttpDate.of(millis));
  }

  @Override
  public boolean containsHeader(String name) {
    return getHeader(name) != null;
  }

  @Override
  public @Nullable String getHeader(String name) {
    Collection<String> values = getHeaders(name);
    return values.isEmpty() ? null : values.iterator().next();
  }

  @Override
  public synchronized Collection<String> getHeaders(String name) {
    String type = getContentType();
    if (name.equalsIgnoreCase("Content-Type")) {
      return type == null ? List.of() : List.of(type);
    }
    List<String> values = new ArrayList<>();
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(name)) {
        values.add(header.value());
      }
    }
    return values;
  }

  @Override
  public synchronized Collection<String> getHeaderNames() {
    Set<String> names = new LinkedHashSet<>();
    headers.forEach(header -> names.add(header.name()));
    return names;
  }

  @Override
  public synchronized void setContentType(@Nullable String type) {
    MediaType parsed = MediaType.parse(type);
    mediaType = type == null ? null : parsed.charset() == null ? type : parsed.essence();
    if (parsed.charset() != null) {
      charset = parsed.charset();
    }
  }

  @Override
  public synchronized @Nullable String getContentType() {
    return mediaType == null || charset == null ? mediaType : mediaType + ";charset=" + charset;
  }

  @Override
  public synchronized void setCharacterEncoding(@Nullable String charset) {
    this.charset = charset;
  }

  @Override
  public synchronized String getCharacterEncoding() {
    return charset == null ? NO_CHARSET : charset;
  }

  @Override
  public synchronized void setLocale(Locale locale) {
    this.locale = locale;
    setHeader("Content-Language", locale.toLanguageTag());
  }

  @Override
  public synchronized Locale getLocale() {
    return locale;
  }

  @Override
  public synchronized void reset() {
    headers.clear();
    status = SC_OK;
    mediaType = null;
    charset = null;
  }

  /** Cookies are not remembered, and there is nobody to give them to. */
  @Override
  public void addCookie(Cookie cookie) {}

  @Override
  public String encodeURL(String url) {
    return url;
  }

  @Override
  public String encodeRedirectURL(String url) {
    return url;
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    setStatus(status);
  }

  @Override
  public void sendError(int status) {
    setStatus(status);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    setStatus(status);
    setHeader("Location", location);
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return new Nowhere();
  }

  @Override
  public PrintWriter getWriter() {
    return new PrintWriter(
        OutputStream.nullOutputStream(), false, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void setContentLength(int length) {}

  @Override
  public void setContentLengthLong(long length) {}

  @Override
  public void setBufferSize(int size) {}

  @Override
  public int getBufferSize() {
    return 0;
  }

  @Override
  public void flushBuffer() {}

  @Override
  public void resetBuffer() {}

  @Override
  public boolean isCommitted() {
    return false;
  }

  private static final class Nowhere extends ServletOutputStream {
    @Override
    public void write(int b) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}
  }
}
