package io.onceward.spring;

import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.service.annotation.HttpExchange;

/**
 * Which handler methods answer so that the whole response is there when they return, and nothing of
 * it has gone out. Loaded only where the web is.
 */
final class HandlerShape {
  /** Rendered where the method's value is, whatever is annotated. */
  private static final Set<String> WHOLE =
      Set.of(
          "org.springframework.http.HttpEntity",
          "org.springframework.http.HttpHeaders",
          "org.springframework.http.ProblemDetail",
          "org.springframework.web.ErrorResponse");

  private HandlerShape() {}

  /** Whether a method answers web requests itself. */
  static boolean isHandler(Method method, Class<?> target) {
    return AnnotatedElementUtils.hasAnnotation(target, Controller.class)
        && (AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class)
            || AnnotatedElementUtils.hasAnnotation(method, HttpExchange.class));
  }

  /**
   * Looks at a handler method.
   *
   * @throws IllegalStateException if a retry could not be given what it answers
   */
  static void check(Method method, Class<?> target) {
    ResolvableType type = ResolvableType.forMethodReturnType(method, target);
    Class<?> raw = type.resolve(Object.class);
    ReturnForm.refuseIfPassing(raw);
    if (ReturnForm.hasType(raw, "org.springframework.http.HttpEntity")) {
      ReturnForm.refuseIfPassing(type.getGeneric(0).resolve(Object.class));
    }
    boolean takesTheResponse = false;
    for (Class<?> parameter : method.getParameterTypes()) {
      takesTheResponse |= ReturnForm.hasType(parameter, "jakarta.servlet.ServletResponse");
      if (ReturnForm.hasType(parameter, "java.io.OutputStream")
          || ReturnForm.hasType(parameter, "java.io.Writer")) {
        throw new IllegalStateException(
            "its argument "
                + parameter.getSimpleName()
                + " writes to the response before anything is remembered. Return what is to be"
                + " written, take the HttpServletResponse, or guard the path by"
                + " onceward.http.routes.");
      }
    }
    ResponseStatus status =
        AnnotatedElementUtils.findMergedAnnotation(method, ResponseStatus.class);
    if (status != null && StringUtils.hasText(status.reason())) {
      throw new IllegalStateException(
          "the reason of its @ResponseStatus leaves the answer to an error page, which is rendered"
              + " later and so cannot be remembered");
    }
    boolean whole =
        AnnotatedElementUtils.hasAnnotation(method, ResponseBody.class)
            || AnnotatedElementUtils.hasAnnotation(target, ResponseBody.class)
            || WHOLE.stream().anyMatch(name -> ReturnForm.hasType(raw, name))
            || (raw == void.class && (takesTheResponse || status != null));
    if (!whole) {
      throw new IllegalStateException(
          "it leaves the answer to a view, which is rendered later, of a model that cannot be"
              + " remembered. Return a ResponseEntity, or guard the path by onceward.http.routes,"
              + " where the response is remembered as it was sent.");
    }
  }
}
