package io.onceward.http;

import io.onceward.guard.Meaning;

/**
 * What statuses say of the effect by themselves, to whoever gives the answer and to whoever gets
 * it. RFC 9110 says of 401 and 407 that the request was not applied, and of 421 that it went to a
 * server that does not answer for it; RFC 8470 says of 425 that it was not processed. After 408 and
 * 499 somebody gave up in the middle.
 *
 * <p>Of 429 no RFC says it: the application in front of which a filter stands is taken at its word,
 * the other side of an outbound call is not.
 */
final class Statuses {
  private static final int FIRST_SERVER_ERROR = 500;

  private Statuses() {}

  static boolean isServerError(int status) {
    return status >= FIRST_SERVER_ERROR;
  }

  /** What is to be remembered is a "business error" here, whatever it is. */
  static Meaning meaningOf(int status) {
    return switch (status) {
      case 401, 407, 421, 425 -> Meaning.DID_NOT_HAPPEN;
      case 408, 499 -> Meaning.UNKNOWN;
      default -> isServerError(status) ? Meaning.UNKNOWN : Meaning.BUSINESS_ERROR;
    };
  }
}
