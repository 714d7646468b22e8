package io.onceward.benchmarks;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request in memory. What no benchmark asks it for, it refuses. */
final class StubRequest extends HttpServletRequestWrapper {
  private static final HttpServletRequest NOTHING_ELSE =
      (HttpServletRequest)
          Proxy.newProxyInstance(
              HttpServletRequest.class.getClassLoader(),
              new Class<?>[] {HttpServletRequest.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final String method;
  private final @Nullable String key;
  private final byte[] body;
  private final Map<String, Object> attributes = new HashMap<>();

  StubRequest(String method, @Nullable String key, byte[] body) {
    super(NOTHING_ELSE);
    this.method = method;
    this.key = key;
    this.body = body;
  }

  @Override
  public String getMethod() {
    return method;
  }

  @Override
  public @Nullable String getHeader(String name) {
    return name.equalsIgnoreCase("Idempotency-Key") ? key : null;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String value = getHeader(name);
    return Collections.enumeration(value == null ? List.of() : List.of(value));
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return attributes.get(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    attributes.put(name, value);
  }

  @Override
  public DispatcherType getDispatcherType() {
    return DispatcherType.REQUEST;
  }

  @Override
  public String getRequestURI() {
    return "/orders/4711/payments";
  }

  @Override
  public String getServletPath() {
    return getRequestURI();
  }

  @Override
  public @Nullable String getPathInfo() {
    return null;
  }

  @Override
  public String getQueryString() {
    return "currency=EUR";
  }

  @Override
  public String getContentType() {
    return "application/json;charset=utf-8";
  }

  @Override
  public long getContentLengthLong() {
    return body.length;
  }

  @Override
  public Principal getUserPrincipal() {
    return () -> "alice";
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Body(body);
  }

  private static final class Body extends ServletInputStream {
    private final byte[] bytes;
    private int at;

    Body(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int n = Math.min(length, bytes.length - at);
      if (n == 0) {
        return length == 0 ? 0 : -1;
      }
      System.arraycopy(bytes, at, target, offset, n);
      at += n;
      return n;
    }

    @Override
    public boolean isFinished() {
      return at == bytes.length;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("setReadListener");
    }
  }
}
