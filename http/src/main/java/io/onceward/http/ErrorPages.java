package io.onceward.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what explains an error that the application sent without a body. A container would do so
 * after the filters are through, too late to be remembered; so it is done here, by the page that
 * the user named, or in a few words of JSON.
 *
 * @param path of the page within the application, such as {@code /error}; null for none
 */
record ErrorPages(@Nullable String path) {
  /**
   * Writes it.
   *
   * @param onContainerThread whether this thread may dispatch within the application
   */
  void write(
      HttpServletRequest request,
      CapturedResponse response,
      @Nullable Throwable cause,
      boolean onContainerThread)
      throws IOException {
    int status = response.error();
    String message = response.errorMessage();
    RequestDispatcher page =
        path != null && onContainerThread ? request.getRequestDispatcher(path) : null;
    if (page != null) {
      response.beginErrorPage(status);
      Map<String, @Nullable Object> before = new HashMap<>();
      explaining(status, message, cause, request)
          .forEach(
              (name, value) -> {
                before.put(name, request.getAttribute(name));
                request.setAttribute(name, value);
              });
      try {
        page.forward(request, response);
        response.finish();
        if (response.error() == 0) {
          return;
        }
      } catch (ServletException | RuntimeException e) {
        // A page that fails must not change what is known of the request; the words below will do.
      } finally {
        // Something in front may send the request here again, which then explains no error.
        before.forEach(request::setAttribute);
      }
    }
    response.beginErrorPage(status);
    response.setContentType(Problem.MEDIA_TYPE);
    String title = message == null || message.isEmpty() ? "HTTP status " + status : message;
    response
        .getOutputStream()
        .write(Problem.aboutBlank(status, title).getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Object> explaining(
      int status, @Nullable String message, @Nullable Throwable cause, HttpServletRequest request) {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put(RequestDispatcher.ERROR_STATUS_CODE, status);
    attributes.put(RequestDispatcher.ERROR_MESSAGE, message == null ? "" : message);
    attributes.put(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
    if (cause != null) {
      attributes.put(RequestDispatcher.ERROR_EXCEPTION, cause);
      attributes.put(RequestDispatcher.ERROR_EXCEPTION_TYPE, cause.getClass());
    }
    return attributes;
  }
}
