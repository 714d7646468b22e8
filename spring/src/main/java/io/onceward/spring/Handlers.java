package io.onceward.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.server.RequestPath;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Which handler method answers which request. */
final class Handlers implements Endpoints {
  private final ObjectProvider<RequestMappingHandlerMapping> mappings;

  Handlers(ObjectProvider<RequestMappingHandlerMapping> mappings) {
    this.mappings = mappings;
  }

  @Override
  public String of(Class<?> type, Method method) {
    StringBuilder all = new StringBuilder();
    for (RequestMappingHandlerMapping mapping : mappings.stream().toList()) {
      for (Map.Entry<RequestMappingInfo, HandlerMethod> each :
          mapping.getHandlerMethods().entrySet()) {
        HandlerMethod handler = each.getValue();
        if (ClassUtils.getUserClass(handler.getBeanType()) == type
            && handler.getMethod().getName().equals(method.getName())
            && java.util.Arrays.equals(
                handler.getMethod().getParameterTypes(), method.getParameterTypes())) {
          all.append(all.isEmpty() ? "" : ", ").append(shown(each.getKey()));
        }
      }
    }
    return all.toString();
  }

  private static String shown(RequestMappingInfo info) {
    String methods =
        String.join(
            "|",
            info.getMethodsCondition().getMethods().stream().map(Enum::name).sorted().toList());
    return (methods.isEmpty() ? "" : methods + " ") + String.join(", ", info.getPatternValues());
  }

  /** Whether the method that will answer this request has {@link Once}. */
  boolean claimsItself(HttpServletRequest request) {
    // One that is there already may be of the path that this request was forwarded from.
    RequestPath before = (RequestPath) request.getAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE);
    ServletRequestPathUtils.parseAndCache(request);
    try {
      for (RequestMappingHandlerMapping mapping : mappings.orderedStream().toList()) {
        HandlerExecutionChain chain = mapping.getHandler(request);
        if (chain != null) {
          return chain.getHandler() instanceof HandlerMethod method
              && OnceMethods.annotationOf(method.getMethod()) != null;
        }
      }
      return false;
    } catch (Exception notFound) {
      // Of no handler, or of one for another method: the dispatcher will say so itself.
      return false;
    } finally {
      ServletRequestPathUtils.setParsedRequestPath(before, request);
    }
  }
}
