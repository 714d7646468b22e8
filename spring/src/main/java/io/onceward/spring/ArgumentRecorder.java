package io.onceward.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.validation.BindException;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolverComposite;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Stands in front of what resolves the arguments of handler methods in Spring MVC, and notes them
 * for those with {@link Once}: what a request asks has to be known also where its validation fails,
 * since it may be a retry of one that was valid. A failure comes out when all are resolved that may
 * tell whose request it is, and what it asks.
 */
final class ArgumentRecorder implements HandlerMethodArgumentResolver, SmartInitializingSingleton {
  private static final String RECORD = ArgumentRecorder.class.getName();

  private final ObjectProvider<RequestMappingHandlerAdapter> adapters;
  private final HandlerMethodArgumentResolverComposite others =
      new HandlerMethodArgumentResolverComposite();

  ArgumentRecorder(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    this.adapters = adapters;
  }

  /** The arguments of one call, as far as they could be resolved. */
  static final class Resolved {
    private final Method method;
    private final boolean goesOn;
    private final @Nullable Object[] arguments;
    private final BitSet known = new BitSet();
    private int count;
    private @Nullable Exception failure;

    Resolved(Method method) {
      this.method = method;
      arguments = new Object[method.getParameterCount()];
      Once once = Objects.requireNonNull(OnceMethods.annotationOf(method));
      goesOn = !once.scope().isBlank() || !once.key().isBlank();
    }

    /** Notes the next; throws what was wrong with any when it is the last. */
    private void add(int index, @Nullable Object argument, boolean isKnown) throws Exception {
      arguments[index] = argument;
      known.set(index, isKnown);
      count++;
      if (failure != null && isThrough()) {
        throw failure;
      }
    }

    private void failed(Exception e) {
      failure = failure == null ? e : failure;
    }

    private boolean isThrough() {
      return count == arguments.length;
    }

    /** Whether all are there, so that they tell what is asked. */
    boolean isWhole() {
      return known.cardinality() == arguments.length;
    }

    boolean isKnown(int index) {
      return known.get(index);
    }

    @Nullable Object[] arguments() {
      return arguments;
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
    int index = parameter.getParameterIndex();
    try {
      Object argument = others.resolveArgument(parameter, container, web, binders);
      record.add(index, argument, true);
      return argument;
    } catch (BindException invalid) {
      if (record.isThrough()) {
        throw invalid;
      }
      record.failed(invalid);
      record.add(index, invalid.getTarget(), isWhole(invalid));
      return invalid.getTarget();
    } catch (Exception e) {
      record.failed(e);
      if (record.isThrough() || !record.goesOn || FailedRetries.isOfSecurity(e)) {
        throw Objects.requireNonNull(record.failure);
      }
      // Whose keys these are may be told by arguments that come later.
      record.add(index, null, false);
      return null;
    }
  }

  /** Whether all that was sent is in it, valid or not. */
  private static boolean isWhole(BindException invalid) {
    return invalid.getTarget() != null
        && invalid.getFieldErrors().stream().noneMatch(FieldError::isBindingFailure);
  }

  private static Resolved recordOf(NativeWebRequest web, MethodParameter parameter) {
    Resolved record = (Resolved) web.getAttribute(RECORD, NativeWebRequest.SCOPE_REQUEST);
    if (record == null || record.isThrough() || parameter.getParameterIndex() == 0) {
      record = new Resolved(Objects.requireNonNull(parameter.getMethod()));
      web.setAttribute(RECORD, record, NativeWebRequest.SCOPE_REQUEST);
    }
    return record;
  }

  /** What was resolved of this request's call of a method, or null if nothing was. */
  static @Nullable Resolved argumentsOf(HttpServletRequest request, Method method) {
    return request.getAttribute(RECORD) instanceof Resolved record && record.method.equals(method)
        ? record
        : null;
  }

  /** As if none could be resolved. */
  static Resolved nothingOf(Method method) {
    return new Resolved(method);
  }
}
