package io.onceward.http;

/**
 * What the other side answered to the one request that reached it.
 *
 * @param response status, chosen headers and body, as remembered
 * @param replayed whether this copy of the call was given the answer of another
 */
public record OutboundAnswer(StoredResponse response, boolean replayed) {
  public int status() {
    return response.status();
  }

  /** The body read as UTF-8 text. */
  public String text() {
    return response.body().asText();
  }
}
