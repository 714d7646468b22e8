package io.onceward.spring;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.context.request.ServletWebRequest;

/** The web request that a handler method takes, with a captured response. */
final class CapturedWebRequest extends ServletWebRequest {
  private final ServletWebRequest real;

  CapturedWebRequest(ServletWebRequest real, HttpServletResponse captured) {
    super(real.getRequest(), captured);
    this.real = real;
  }

  /** With the real one, which hears of the end of the request. */
  @Override
  public void registerDestructionCallback(String name, Runnable callback, int scope) {
    real.registerDestructionCallback(name, callback, scope);
  }
}
