package io.onceward.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
      request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
      request.setAttribute(RequestDispatcher.ERROR_MESSAGE, message == null ? "" : message);
      request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
      if (cause != null) {
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, cause);
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION_TYPE, cause.getClass());
      }
      try {
        page.forward(request, response);
        response.finish();
        if (response.error() == 0) {
          return;
        }
      } catch (ServletException | RuntimeException e) {
        // A page that fails must not change what is known of the request; the words below will do.
      }
    }
    response.beginErrorPage(status);
    response.setContentType(Problem.MEDIA_TYPE);
    String title = message == null || message.isEmpty() ? "HTTP status " + status : message;
    response
        .getOutputStream()
        .write(Problem.aboutBlank(status, title).getBytes(StandardCharsets.UTF_8));
  }
}
