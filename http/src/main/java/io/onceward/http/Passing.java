package io.onceward.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * In place of an {@link Exchange}, for a request that passes unguarded: what becomes of it behind
 * the filter is no new request. What something in front makes of it afterwards is one.
 */
final class Passing {
  private final @Nullable RequestBody body;
  private final AtomicInteger inside = new AtomicInteger();

  /**
   * A request that passes.
   *
   * @param body if it was read before
   */
  Passing(@Nullable RequestBody body) {
    this.body = body;
  }

  @Nullable RequestBody body() {
    return body;
  }

  /** Lets it pass. */
  void pass(FilterChain chain, ServletRequest request, ServletResponse response)
      throws IOException, ServletException {
    inside.incrementAndGet();
    try {
      chain.doFilter(request, response);
    } finally {
      inside.decrementAndGet();
    }
  }

  /** Whether the application has this request, and may dispatch or forward it. */
  boolean isBehind(ServletRequest request) {
    return inside.get() > 0
        || request.getDispatcherType() == DispatcherType.ASYNC
        || request.isAsyncStarted();
  }
}
