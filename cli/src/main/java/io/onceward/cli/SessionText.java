package io.onceward.cli;

import io.onceward.ClientKind;
import io.onceward.replica.Replica.SessionView;
import java.util.Locale;

/** A session as people and programs see it. Its number is hexadecimal, as in request ids. */
final class SessionText {
  private SessionText() {}

  static String number(SessionView session) {
    return Long.toHexString(session.session());
  }

  /** {@code registered}, {@code durable:NAME} or {@code auto:NAME}. */
  static String client(SessionView session) {
    String kind = session.kind().name().toLowerCase(Locale.ROOT);
    return session.kind() == ClientKind.REGISTERED ? kind : kind + ":" + session.name();
  }

  /** Whether the word is this session's number, or its client's kind and name. */
  static boolean names(String word, SessionView session) {
    return word.equals(number(session))
        || session.kind() != ClientKind.REGISTERED && word.equals(client(session));
  }

  static Json json(SessionView session) {
    return new Json()
        .text("session", number(session))
        .text("kind", session.kind().name().toLowerCase(Locale.ROOT))
        .text("name", session.name())
        .text("principal", session.principal())
        .text("incarnation", Long.toHexString(session.incarnation()))
        .number("watermark", session.watermark())
        .number("nextSequence", session.nextSequence())
        .number("window", session.window())
        .flag("ordered", session.ordered())
        .number("idleMillis", session.idleMillis());
  }
}
