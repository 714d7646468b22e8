package io.onceward.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

/** A request that passes unguarded, because its body was searched for a key in vain. */
final class PassedRequest extends ReadAgainRequest {
  private final ServletResponse response;

  PassedRequest(
      HttpServletRequest request, RequestBody body, MediaType type, ServletResponse response) {
    super(request, body, type);
    this.response = response;
  }

  /** With this request: the body of the container's was read. */
  @Override
  public AsyncContext startAsync() {
    return startAsync(this, response);
  }

  @Override
  void later(Runnable callback) {
    getAsyncContext().start(callback);
  }
}
