package io.onceward.spring;

import org.springframework.web.server.ResponseStatusException;

/** Spring's own way to answer with a status: status and reason, in one line. */
final class ResponseStatusCodec
    implements ExceptionCodec<ResponseStatusException>, BusinessExceptions.OfOneClass {
  @Override
  public Class<ResponseStatusException> type() {
    return ResponseStatusException.class;
  }

  @Override
  public String write(ResponseStatusException exception) {
    String reason = exception.getReason();
    String text = exception.getStatusCode().value() + (reason == null ? "" : " " + reason);
    if (!exception.getHeaders().isEmpty() || !read(text).getBody().equals(exception.getBody())) {
      throw new IllegalStateException(
          "it has headers or a body of its own. Declare an exception for it, and a bean of type"
              + " ExceptionCodec.");
    }
    return text;
  }

  @Override
  public ResponseStatusException read(String text) {
    int end = text.indexOf(' ');
    int status = Integer.parseInt(end < 0 ? text : text.substring(0, end));
    return new ResponseStatusException(
        org.springframework.http.HttpStatusCode.valueOf(status),
        end < 0 ? null : text.substring(end + 1));
  }
}
