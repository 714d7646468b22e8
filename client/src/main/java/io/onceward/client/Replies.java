package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** What a reply means to whoever only wants its bytes. */
final class Replies {
  private Replies() {}

  static Bytes bytes(Reply reply, @Nullable RequestId id) {
    return switch (reply.kind()) {
      case OK -> reply.bytes();
      case BUSINESS_ERROR -> throw new BusinessErrorException(reply, id);
      case FAILED -> throw new FailedException(id);
      case REPLY_TOO_LARGE -> throw new ReplyTooLargeException(id);
    };
  }

  /** A reply of its own: as it came it is a view, which keeps a whole message in memory. */
  static Reply kept(Reply reply) {
    return reply.bytes().length() == 0
        ? reply
        : new Reply(reply.kind(), Bytes.of(reply.bytes().toArray()));
  }
}
