package io.onceward.spring;

import io.onceward.http.IdempotencyFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Lets requests pass by the filter whose handler method has {@link Once}: it claims for itself,
 * with a stronger promise, and nothing is to be claimed twice.
 *
 * <p>The first dispatch that comes by decides for all that follow, whatever its type: something in
 * front may have suspended or forwarded the request, and what a handler dispatches to afterwards is
 * no request of its own.
 */
record UnlessAnnotated(IdempotencyFilter filter, Handlers handlers) implements Filter {
  /** The attribute that keeps what was decided on a request. */
  private static final String PASSES = UnlessAnnotated.class.getName();

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http && passes(http)) {
      chain.doFilter(request, response);
    } else {
      filter.doFilter(request, response, chain);
    }
  }

  private boolean passes(HttpServletRequest request) {
    if (request.getAttribute(PASSES) instanceof Boolean decided) {
      return decided;
    }
    boolean passes = handlers.claimsItself(request);
    request.setAttribute(PASSES, passes);
    return passes;
  }
}
