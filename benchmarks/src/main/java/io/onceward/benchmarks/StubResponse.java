package io.onceward.benchmarks;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response in memory. What no benchmark asks it for, it refuses. */
final class StubResponse extends HttpServletResponseWrapper {
  private static final HttpServletResponse NOTHING_ELSE =
      (HttpServletResponse)
          Proxy.newProxyInstance(
              HttpServletResponse.class.getClassLoader(),
              new Class<?>[] {HttpServletResponse.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final Map<String, String> headers = new LinkedHashMap<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(512);
  private int status = 200;

  StubResponse() {
    super(NOTHING_ELSE);
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
  public void setHeader(String name, String value) {
    headers.put(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    headers.put(name, value);
  }

  @Override
  public boolean containsHeader(String name) {
    return headers.containsKey(name);
  }

  @Override
  public Collection<String> getHeaders(String name) {
    String value = headers.get(name);
    return value == null ? List.of() : List.of(value);
  }

  @Override
  public Collection<String> getHeaderNames() {
    return headers.keySet();
  }

  @Override
  public void setContentType(String type) {
    headers.put("Content-Type", type);
  }

  @Override
  public @Nullable String getContentType() {
    return headers.get("Content-Type");
  }

  @Override
  public String getCharacterEncoding() {
    return "UTF-8";
  }

  @Override
  public void setContentLength(int length) {
    headers.put("Content-Length", Integer.toString(length));
  }

  @Override
  public boolean isCommitted() {
    return false;
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return new ServletOutputStream() {
      @Override
      public void write(int b) {
        body.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int count) {
        body.write(bytes, offset, count);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        throw new UnsupportedOperationException("setWriteListener");
      }
    };
  }
}
