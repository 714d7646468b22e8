package io.onceward.http;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * When a forward returns, Tomcat 11 looks through all wrappers for its own response and suspends
 * it: whatever is written afterwards is dropped. But what the application forwarded to was held
 * back here and is still to be written. So Tomcat is not shown its own response: it then closes the
 * one that was forwarded, which is ours. Other containers insist on finding theirs, and do no harm.
 */
final class TomcatForwards {
  private static final String TOMCATS = "org.apache.catalina.connector.ResponseFacade";

  private TomcatForwards() {}

  static HttpServletResponse keptOpen(HttpServletResponse response) {
    ServletResponse inner = response;
    while (inner instanceof ServletResponseWrapper wrapper) {
      inner = wrapper.getResponse();
    }
    if (!inner.getClass().getName().equals(TOMCATS)) {
      return response;
    }
    return (HttpServletResponse)
        Proxy.newProxyInstance(
            HttpServletResponse.class.getClassLoader(),
            new Class<?>[] {HttpServletResponse.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(response, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
