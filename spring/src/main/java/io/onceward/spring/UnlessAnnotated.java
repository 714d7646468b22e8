package io.onceward.spring;

import io.onceward.http.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets requests pass by the filter whose handler method has {@link Once}: it claims for itself,
 * with a stronger promise, and nothing is to be claimed twice.
 *
 * <p>The dispatch that comes first decides for what becomes of it behind this: what a handler
 * dispatches or forwards to is no request of its own. What something in front makes of it
 * afterwards is one.
 */
record UnlessAnnotated(IdempotencyFilter filter, Handlers handlers) implements Filter {
  /** The attribute that keeps what was decided on a request. */
  private static final String PASSES = UnlessAnnotated.class.getName();

  /** How a request is taken, and whether it is on its way behind this. */
  private record Taken(boolean passes, AtomicInteger inside) {
    boolean holdsFor(ServletRequest request) {
      return inside.get() > 0
          || request.getDispatcherType() == DispatcherType.ASYNC
          || request.isAsyncStarted();
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)) {
      filter.doFilter(request, response, chain);
      return;
    }
    Taken taken = taken(http);
    taken.inside.incrementAndGet();
    try {
      if (taken.passes) {
        chain.doFilter(request, response);
      } else {
        filter.doFilter(request, response, chain);
      }
    } finally {
      taken.inside.decrementAndGet();
    }
  }

  private Taken taken(HttpServletRequest request) {
    if (request.getAttribute(PASSES) instanceof Taken before && before.holdsFor(request)) {
      return before;
    }
    Taken now = new Taken(handlers.claimsItself(request), new AtomicInteger());
    request.setAttribute(PASSES, now);
    return now;
  }
}
