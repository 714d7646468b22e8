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

/**
 * Lets requests pass by the filter whose handler method has {@link Once}: it claims for itself,
 * with a stronger promise, and nothing is to be claimed twice.
 */
record UnlessAnnotated(IdempotencyFilter filter, Handlers handlers) implements Filter {
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
    if (request.getDispatcherType() == DispatcherType.REQUEST && handlers.claimsItself(request)) {
      request.setAttribute(PASSES, true);
    }
    return request.getAttribute(PASSES) != null;
  }
}
