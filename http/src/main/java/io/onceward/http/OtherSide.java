package io.onceward.http;

import io.onceward.guard.Meaning;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the other side: whether it takes keys, and what its answers mean.
 *
 * @param keyHeader the header that takes the key; null if it takes none
 * @param quoted whether the key is a string of RFC 8941, in quotes
 * @param statuses what the user said of single statuses
 */
record OtherSide(@Nullable String keyHeader, boolean quoted, Map<Integer, Meaning> statuses) {
  boolean takesKeys() {
    return keyHeader != null;
  }

  /**
   * What an answer means; one that is to be remembered is a "business error" here, whatever it is.
   *
   * @param afterDoubt whether an earlier copy under this key may have arrived. Then a conflict is
   *     most likely with that copy, which is still at work there: not the answer to remember
   */
  Meaning meaningOf(StoredResponse response, boolean afterDoubt) {
    int status = response.status();
    Meaning given = statuses.get(status);
    if (given != null) {
      return given;
    }
    return switch (status) {
      // A rate limiter may stand in front of a part of the work only.
      case 429 -> Meaning.UNKNOWN;
      case 409 ->
          takesKeys() && (afterDoubt || isUndecided(response))
              ? Meaning.UNKNOWN
              : Meaning.BUSINESS_ERROR;
      default -> Statuses.meaningOf(status);
    };
  }

  /**
   * Whether it says, as a filter like ours does, that an earlier copy is still running, or that
   * nobody knows what became of it: both may change.
   */
  private static boolean isUndecided(StoredResponse response) {
    return response.header("Retry-After") != null
        || (Problem.MEDIA_TYPE.equals(MediaType.parse(response.header("Content-Type")).essence())
            && response.body().asText().contains(Problem.UNKNOWN_OUTCOME));
  }

  /** RFC 9110: it was not applied, because the right credentials were missing. */
  static boolean wantsAuthentication(int status) {
    return status == 401 || status == 407;
  }

  /**
   * Without a connection nothing was sent. After that, nobody can tell. Only for an attempt of
   * which {@linkplain WatchedBody#wasAsked nothing was sent before} either.
   */
  static Meaning meaningOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof HttpConnectTimeoutException
          || cause instanceof UnresolvedAddressException) {
        return Meaning.DID_NOT_HAPPEN;
      }
    }
    return Meaning.UNKNOWN;
  }

  /** What the other side asks for in whole seconds; zero if it does not. */
  static Duration retryAfter(StoredResponse response) {
    String value = response.header("Retry-After");
    if (value == null || value.isEmpty() || value.length() > 6) {
      return Duration.ZERO;
    }
    int seconds = 0;
    for (int i = 0; i < value.length(); i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Duration.ZERO;
      }
      seconds = seconds * 10 + digit;
    }
    return Duration.ofSeconds(seconds);
  }
}
