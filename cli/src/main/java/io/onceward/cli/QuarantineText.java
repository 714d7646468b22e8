package io.onceward.cli;

import io.onceward.ClusterId;
import io.onceward.replica.LogPlace;
import io.onceward.server.ServerSettings.Quarantined;

/**
 * The place of a request in the log as people write it: {@code POSITION/ORDINAL}, or {@code
 * POSITION/ORDINAL@CLUSTER}.
 */
final class QuarantineText {
  private QuarantineText() {}

  /**
   * Reads a place.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  static Quarantined parse(String text) {
    int slash = text.indexOf('/');
    int at = text.indexOf('@');
    try {
      long position = Long.parseLong(text.substring(0, Math.max(slash, 0)));
      int ordinal = Integer.parseInt(text.substring(slash + 1, at < 0 ? text.length() : at));
      ClusterId cluster = at < 0 ? null : ClusterId.parse(text.substring(at + 1));
      if (position > 0 && ordinal >= 0) {
        return new Quarantined(new LogPlace(position, ordinal), cluster);
      }
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException malformed) {
      // Said below, as for negative numbers.
    }
    throw new IllegalArgumentException(
        "the place of a request is POSITION/ORDINAL@CLUSTER as the stopped node printed it, or"
            + " POSITION/ORDINAL, such as 4711/0, not \""
            + text
            + "\"");
  }
}
