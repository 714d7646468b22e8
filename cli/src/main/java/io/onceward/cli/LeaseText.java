package io.onceward.cli;

import io.onceward.services.LeaseReply;
import java.time.Instant;

/** A lease as people and programs see it. */
final class LeaseText {
  private LeaseText() {}

  static Told granted(String name, String holder, LeaseReply.Granted granted) {
    return told(name, holder, granted.token(), granted.expiresMillis());
  }

  static Told held(String name, LeaseReply.Held held) {
    return told(name, held.holder(), held.token(), held.expiresMillis());
  }

  private static Told told(String name, String holder, long token, long expiresMillis) {
    String until = Instant.ofEpochMilli(expiresMillis).toString();
    return Told.done(
        OneLine.of(name + " is held by " + holder) + " with token " + token + " until " + until,
        new Json()
            .text("lease", name)
            .flag("held", true)
            .text("holder", holder)
            .number("token", token)
            .text("expires", until));
  }

  static Json free(String name) {
    return new Json().text("lease", name).flag("held", false);
  }
}
