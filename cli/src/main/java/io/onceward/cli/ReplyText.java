package io.onceward.cli;

import io.onceward.Reply;
import java.time.Instant;

/** A remembered reply as people and programs see it; which service gave it is not known. */
final class ReplyText {
  private ReplyText() {}

  static String line(Reply reply, long position, long timeMillis) {
    String said = reply.bytes().length() == 0 ? "" : ", " + BytesText.shown(reply.bytes());
    return "executed at position "
        + position
        + ", "
        + Instant.ofEpochMilli(timeMillis)
        + ": "
        + reply.kind()
        + said;
  }

  static Json json(Reply reply, long position, long timeMillis) {
    Json json =
        new Json()
            .text("outcome", "executed")
            .number("position", position)
            .text("time", Instant.ofEpochMilli(timeMillis).toString())
            .text("kind", reply.kind().name());
    return BytesText.add(json, "reply", reply.bytes());
  }
}
