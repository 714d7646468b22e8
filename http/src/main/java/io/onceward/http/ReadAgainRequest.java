package io.onceward.http;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body was read before the application reads it: here it reads it again. */
abstract class ReadAgainRequest extends HttpServletRequestWrapper {
  private final RequestBody body;
  private final boolean hasForm;
  private @Nullable BodyStream stream;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> parameters;

  ReadAgainRequest(HttpServletRequest request, RequestBody body, MediaType type) {
    super(request);
    this.body = body;
    hasForm = FormParameters.areIn(request, type);
  }

  @Override
  public ServletInputStream getInputStream() throws java.io.IOException {
    if (reader != null) {
      throw new IllegalStateException("getReader() was called for this request");
    }
    if (body.inContainer()) {
      return super.getInputStream();
    }
    if (stream == null) {
      stream = new BodyStream(body.bytes(), this::later);
    }
    return stream;
  }

  @Override
  public BufferedReader getReader() throws java.io.IOException {
    if (body.inContainer()) {
      return super.getReader();
    }
    if (stream != null) {
      throw new IllegalStateException("getInputStream() was called for this request");
    }
    if (reader == null) {
      String encoding = getCharacterEncoding();
      try {
        Charset charset =
            encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
        reader =
            new BufferedReader(
                new InputStreamReader(new BodyStream(body.bytes(), this::later), charset));
      } catch (IllegalArgumentException e) {
        throw (java.io.UnsupportedEncodingException)
            new java.io.UnsupportedEncodingException(encoding).initCause(e);
      }
    }
    return reader;
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = parameters().get(name);
    return values == null ? null : values[0];
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Collections.unmodifiableMap(parameters());
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(parameters().keySet());
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    String[] values = parameters().get(name);
    return values == null ? null : values.clone();
  }

  private Map<String, String[]> parameters() {
    if (!hasForm || body.inContainer()) {
      return super.getParameterMap();
    }
    if (parameters == null) {
      parameters = FormParameters.of(super.getParameterMap(), body.bytes(), formCharset());
    }
    return parameters;
  }

  private Charset formCharset() {
    String encoding = getCharacterEncoding();
    try {
      return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    } catch (UnsupportedCharsetException e) {
      return StandardCharsets.UTF_8;
    }
  }

  /** Runs the callbacks of non-blocking reading, on a thread of the container. */
  abstract void later(Runnable callback);
}
