package io.onceward.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.validation.BindException;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolverComposite;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Stands in front of what resolves the arguments of handler methods in Spring MVC, and notes them
 * for those with {@link Once}: what a request asks has to be known also where its validation fails,
 * since it may be a retry of one that was valid. A failure comes out when all are resolved.
 */
final class ArgumentRecorder implements HandlerMethodArgumentResolver, SmartInitializingSingleton {
  private static final String RECORD = ArgumentRecorder.class.getName();

  private final ObjectProvider<RequestMappingHandlerAdapter> adapters;
  private final HandlerMethodArgumentResolverComposite others =
      new HandlerMethodArgumentResolverComposite();

  ArgumentRecorder(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    this.adapters = adapters;
  }

  /** The arguments of one call. */
  private static final class Resolved {
    private final Method method;
    private final @Nullable Object[] arguments;
    private int count;
    private @Nullable BindException invalid;

    Resolved(Method method) {
      this.method = method;
      arguments = new Object[method.getParameterCount()];
    }

    /** Notes the next; throws what was wrong with any when it is the last. */
    void add(int index, @Nullable Object argument) throws BindException {
      arguments[index] = argument;
      count++;
      if (invalid != null && isWhole()) {
        throw invalid;
      }
    }

    boolean isWhole() {
      return count == arguments.length;
    }
  }

  @Override
  public void afterSingletonsInstantiated() {
    adapters.orderedStream().forEach(this::standInFrontOf);
  }

  private void standInFrontOf(RequestMappingHandlerAdapter adapter) {
    List<HandlerMethodArgumentResolver> present = adapter.getArgumentResolvers();
    if (present == null) {
      return;
    }
    others.addResolvers(present);
    List<HandlerMethodArgumentResolver> all = new ArrayList<>();
    all.add(this);
    all.addAll(present);
    adapter.setArgumentResolvers(all);
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    Method method = parameter.getMethod();
    return method != null
        && OnceMethods.annotationOf(method) != null
        && others.supportsParameter(parameter);
  }

  @Override
  public @Nullable Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binders)
      throws Exception {
    Resolved record = recordOf(web, parameter);
    Object argument;
    try {
      argument = others.resolveArgument(parameter, container, web, binders);
    } catch (BindException invalid) {
      argument = invalid.getTarget();
      record.invalid = record.invalid == null ? invalid : record.invalid;
    } catch (Exception e) {
      throw record.invalid == null ? e : record.invalid;
    }
    record.add(parameter.getParameterIndex(), argument);
    return argument;
  }

  private static Resolved recordOf(NativeWebRequest web, MethodParameter parameter) {
    Resolved record = (Resolved) web.getAttribute(RECORD, NativeWebRequest.SCOPE_REQUEST);
    if (record == null || record.isWhole() || parameter.getParameterIndex() == 0) {
      record = new Resolved(Objects.requireNonNull(parameter.getMethod()));
      web.setAttribute(RECORD, record, NativeWebRequest.SCOPE_REQUEST);
    }
    return record;
  }

  /**
   * The arguments that this request's call of a method was to have, or null if not all are there.
   */
  static @Nullable Object @Nullable [] argumentsOf(HttpServletRequest request, Method method) {
    return request.getAttribute(RECORD) instanceof Resolved record
            && record.isWhole()
            && record.method.equals(method)
        ? record.arguments
        : null;
  }
}
