package io.onceward.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

/**
 * The request that the application sees: its body was read for the fingerprint and can be read
 * again, and whoever makes it asynchronous gets an {@link AsyncContext} that holds the answer back.
 */
final class BufferedRequest extends ReadAgainRequest {
  private final Exchange exchange;

  BufferedRequest(HttpServletRequest request, Exchange exchange, RequestBody body, MediaType type) {
    super(request, body, type);
    this.exchange = exchange;
  }

  @Override
  void later(Runnable callback) {
    exchange.later(callback);
  }

  /** With the answer that is captured; the container would hand out its own. */
  @Override
  public AsyncContext startAsync() {
    return startAsync(this, exchange.response());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return exchange.began(super.startAsync(request, response), request, response);
  }

  @Override
  public AsyncContext getAsyncContext() {
    return exchange.asyncContext(super.getAsyncContext());
  }
}
