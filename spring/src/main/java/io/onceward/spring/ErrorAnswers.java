package io.onceward.spring;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;

/** Says exceptions of handler methods as the application does, into a captured response. */
final class ErrorAnswers {
  private final ObjectProvider<HandlerExceptionResolver> resolvers;
  private final String page;

  /**
   * @param page the path of the error page within the application
   */
  ErrorAnswers(ObjectProvider<HandlerExceptionResolver> resolvers, String page) {
    this.resolvers = resolvers;
    this.page = page;
  }

  /** By those who say what exceptions say; null if none of them knows this one. */
  @Nullable ModelAndView resolve(
      HttpServletRequest request, HttpServletResponse response, Object handler, Exception said) {
    for (HandlerExceptionResolver each : resolvers.orderedStream().toList()) {
      ModelAndView resolved =
          each instanceof FailedRetries
              ? null
              : each.resolveException(request, response, handler, said);
      if (resolved != null) {
        return resolved;
      }
    }
    return null;
  }

  /**
   * Renders an exception, with the error page if it is left to that.
   *
   * @return whether the answer is whole; not of an exception that nobody knows, or of a view, which
   *     is rendered later
   */
  boolean render(
      HttpServletRequest request, CapturedAnswer answer, Object handler, Exception said) {
    Map<String, Object> before = attributesOf(request);
    CapturedAttributes bound = CapturedAttributes.bind(answer);
    try {
      // As the dispatcher does.
      request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
      answer.setHeader(HttpHeaders.CONTENT_TYPE, null);
      answer.resetBuffer();
      ModelAndView resolved = resolve(request, answer, handler, said);
      if (resolved != null && resolved.getStatus() != null) {
        answer.setStatus(resolved.getStatus().value());
      }
      if (resolved == null || !resolved.isEmpty()) {
        return false;
      }
      return !answer.isLeftToErrorPage() || hasPage(request, answer);
    } catch (ServletException | IOException | RuntimeException e) {
      // What says an error must not change what is known of the request.
      return false;
    } finally {
      if (bound != null) {
        bound.unbind();
      }
      restore(request, before);
    }
  }

  private boolean hasPage(HttpServletRequest request, CapturedAnswer answer)
      throws ServletException, IOException {
    RequestDispatcher dispatcher = request.getRequestDispatcher(page);
    if (dispatcher == null) {
      return false;
    }
    int status = answer.getStatus();
    String message = answer.errorMessage();
    answer.beginErrorPage();
    request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
    request.setAttribute(RequestDispatcher.ERROR_MESSAGE, message == null ? "" : message);
    request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
    dispatcher.forward(request, unknownToContainers(answer));
    return !answer.isLeftToErrorPage();
  }

  /**
   * After a forward, Tomcat looks through all wrappers for its own response and closes it. Behind a
   * proxy it finds none. Other containers insist on finding theirs, and do no harm.
   */
  private static HttpServletResponse unknownToContainers(CapturedAnswer answer) {
    if (!answer.isOfTomcat()) {
      return answer;
    }
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            HttpServletResponse.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(answer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Map<String, Object> attributesOf(HttpServletRequest request) {
    Map<String, Object> attributes = new HashMap<>();
    for (String name : namesOf(request)) {
      Object value = request.getAttribute(name);
      if (value != null) {
        attributes.put(name, value);
      }
    }
    return attributes;
  }

  /** A page within leaves its own mapping and model behind. */
  private static void restore(HttpServletRequest request, Map<String, Object> before) {
    for (String name : namesOf(request)) {
      if (!before.containsKey(name)) {
        request.removeAttribute(name);
      }
    }
    before.forEach(request::setAttribute);
  }

  private static List<String> namesOf(HttpServletRequest request) {
    return Collections.list(request.getAttributeNames());
  }
}
