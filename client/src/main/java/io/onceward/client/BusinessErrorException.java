package io.onceward.client;

import io.onceward.Executed;
import io.onceward.Reply;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The service declined for a reason of its own domain. That is a reply, and every retry gets it.
 */
public final class BusinessErrorException extends OncewardException {
  private static final long serialVersionUID = 1L;

  private final transient Reply reply;

  BusinessErrorException(Reply reply, @Nullable RequestId id) {
    super(reply.bytes().asText(), Executed.YES, false, id, null);
    this.reply = reply;
  }

  /** What the service answered; as a rule its bytes are a sentence in UTF-8. */
  public Reply reply() {
    return reply;
  }
}
