package io.onceward.spring;

import io.onceward.http.KeyHeader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpEntity;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The web request of this thread, in a servlet container. */
final class ServletSide implements WebSide {
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
  public @Nullable Object bodyOf(@Nullable Object argument) {
    return argument instanceof HttpEntity<?> entity ? entity.getBody() : argument;
  }

  private static @Nullable HttpServletRequest request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes there
        ? there.getRequest()
        : null;
  }
}
