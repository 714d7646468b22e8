package io.onceward.cli.demo;

import io.onceward.Reply;
import io.onceward.cli.demo.Line.Told;
import io.onceward.services.CounterReply;

/** What the bytes of replies mean. */
final class Replies {
  private Replies() {}

  /** The value of a counter after an addition. */
  static long counterValue(Reply reply) {
    return CounterReply.decode(reply.bytes()).value();
  }

  static String describe(Told told) {
    return describe(told.reply()) + " from position " + told.position();
  }

  static String describe(Reply reply) {
    return switch (reply.kind()) {
      case OK -> "OK " + reply.bytes();
      case BUSINESS_ERROR -> "declined \"" + reply.bytes().asText() + "\"";
      case FAILED, REPLY_TOO_LARGE -> reply.kind().name();
    };
  }
}
