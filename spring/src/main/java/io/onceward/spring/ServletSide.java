package io.onceward.spring;

import io.onceward.http.KeyHeader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

/** The web request of this thread, in a servlet container. */
final class ServletSide implements WebSide {
  private static final String ENTERED = ServletSide.class.getName() + ".entered";
  private static final String REACHED = ServletSide.class.getName() + ".reached";

  private final AnswerWriter writer;
  private final ErrorAnswers errors;

  ServletSide(AnswerWriter writer, ErrorAnswers errors) {
    this.writer = writer;
    this.errors = errors;
  }

  @Override
  public boolean isThere() {
    return true;
  }

  @Override
  public @Nullable String header(String name) {
    HttpServletRequest request = request();
    if (request == null) {
      return null;
    }
    Enumeration<String> values = request.getHeaders(name);
    String value = values.hasMoreElements() ? values.nextElement() : null;
    if (values.hasMoreElements()) {
      throw new KeyException(false, "the header " + name + " is there more than once", null);
    }
    return value;
  }

  @Override
  public @Nullable String principal() {
    HttpServletRequest request = request();
    Principal principal = request == null ? null : request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  @Override
  public void markReplayed() {
    if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes there) {
      HttpServletResponse response = there.getResponse();
      if (response != null && !response.isCommitted()) {
        response.setHeader(KeyHeader.REPLAYED, "true");
      }
    }
  }

  @Override
  public @Nullable Keeping entered(OnceMethod method) {
    HttpServletRequest request = request();
    if (request == null
        || request.getAttribute(ENTERED) != null
        || !(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes there)
        || there.getResponse() == null
        || !(request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
            instanceof HandlerMethod handler)
        || !isOf(handler, method)) {
      return null;
    }
    request.setAttribute(ENTERED, true);
    request.setAttribute(REACHED, true);
    return new KeptAnswer(
        new ServletWebRequest(request, there.getResponse()),
        handler,
        method,
        writer.others(),
        errors);
  }

  /** Whether a method has been called for this request, so that what fails is its own. */
  static boolean hasBeenEntered(HttpServletRequest request) {
    return request.getAttribute(REACHED) != null;
  }

  private static boolean isOf(HandlerMethod handler, OnceMethod method) {
    return method.isHandler()
        && ClassUtils.getUserClass(handler.getBeanType()) == method.target()
        && AopUtils.getMostSpecificMethod(handler.getMethod(), method.target())
            .equals(method.method());
  }

  @Override
  public void left() {
    HttpServletRequest request = request();
    if (request != null) {
      request.removeAttribute(ENTERED);
    }
  }

  @Override
  public @Nullable Object bodyOf(@Nullable Object argument) {
    return argument instanceof HttpEntity<?> entity ? entity.getBody() : argument;
  }

  private static @Nullable HttpServletRequest request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes there
        ? there.getRequest()
        : null;
  }
}
