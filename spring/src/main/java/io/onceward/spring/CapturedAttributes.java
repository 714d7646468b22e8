package io.onceward.spring;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The request of this thread, with a captured response. All that lives in the request or in the
 * session is that of the real one, which also ends it.
 */
final class CapturedAttributes extends ServletRequestAttributes {
  private final ServletRequestAttributes real;

  private CapturedAttributes(ServletRequestAttributes real, HttpServletResponse captured) {
    super(real.getRequest(), captured);
    this.real = real;
  }

  /** Gives everybody on this thread the captured response, until {@link #unbind}. */
  static @Nullable CapturedAttributes bind(HttpServletResponse captured) {
    if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes real)) {
      return null;
    }
    CapturedAttributes bound = new CapturedAttributes(real, captured);
    RequestContextHolder.setRequestAttributes(bound);
    return bound;
  }

  void unbind() {
    RequestContextHolder.setRequestAttributes(real);
  }

  @Override
  public @Nullable Object getAttribute(String name, int scope) {
    return real.getAttribute(name, scope);
  }

  @Override
  public void setAttribute(String name, Object value, int scope) {
    real.setAttribute(name, value, scope);
  }

  @Override
  public void removeAttribute(String name, int scope) {
    real.removeAttribute(name, scope);
  }

  @Override
  public String[] getAttributeNames(int scope) {
    return real.getAttributeNames(scope);
  }

  @Override
  public void registerDestructionCallback(String name, Runnable callback, int scope) {
    real.registerDestructionCallback(name, callback, scope);
  }

  @Override
  public @Nullable Object resolveReference(String key) {
    return real.resolveReference(key);
  }

  @Override
  public String getSessionId() {
    return real.getSessionId();
  }

  @Override
  public Object getSessionMutex() {
    return real.getSessionMutex();
  }
}
