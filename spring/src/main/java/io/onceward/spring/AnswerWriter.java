package io.onceward.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodParameter;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.HandlerMethodReturnValueHandlerComposite;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Stands in front of what renders the return values of handler methods in Spring MVC. For those
 * with {@link Once} it writes the answer that is remembered already.
 */
final class AnswerWriter implements HandlerMethodReturnValueHandler, SmartInitializingSingleton {
  private final ObjectProvider<RequestMappingHandlerAdapter> adapters;
  private final HandlerMethodReturnValueHandlerComposite others =
      new HandlerMethodReturnValueHandlerComposite();

  AnswerWriter(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    this.adapters = adapters;
  }

  @Override
  public void afterSingletonsInstantiated() {
    adapters.orderedStream().forEach(this::standInFrontOf);
  }

  private void standInFrontOf(RequestMappingHandlerAdapter adapter) {
    List<HandlerMethodReturnValueHandler> present = adapter.getReturnValueHandlers();
    if (present == null) {
      return;
    }
    others.addHandlers(present);
    List<HandlerMethodReturnValueHandler> all = new ArrayList<>();
    all.add(this);
    all.addAll(present);
    adapter.setReturnValueHandlers(all);
  }

  /** What would render a return value without this. */
  HandlerMethodReturnValueHandler others() {
    return others;
  }

  @Override
  public boolean supportsReturnType(MethodParameter returnType) {
    Method method = returnType.getMethod();
    return method != null && OnceMethods.annotationOf(method) != null;
  }

  @Override
  public void handleReturnValue(
      @Nullable Object returned,
      MethodParameter returnType,
      ModelAndViewContainer container,
      NativeWebRequest web)
      throws Exception {
    HttpServletRequest request = web.getNativeRequest(HttpServletRequest.class);
    if (request != null && KeptAnswer.writeAnswerOf(request)) {
      container.setRequestHandled(true);
    } else {
      others.handleReturnValue(returned, returnType, container, web);
    }
  }
}
