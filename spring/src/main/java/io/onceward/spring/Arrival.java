package io.onceward.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Notes the requests that all interceptors have let through. One of the others that throws may have
 * refused the caller, who then must not see what is remembered.
 */
final class Arrival implements WebMvcConfigurer, HandlerInterceptor, Ordered {
  private static final String NOTED = Arrival.class.getName();

  static boolean isNoted(HttpServletRequest request) {
    return request.getAttribute(NOTED) != null;
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this).order(LOWEST_PRECEDENCE);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    request.setAttribute(NOTED, true);
    return true;
  }
}
