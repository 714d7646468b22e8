package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.RequestId;

/**
 * The decision about one request: it executed, once, and this is what it answered.
 *
 * @param replay whether this answer was remembered from an earlier copy
 * @param position the log position of the execution
 * @param timeMillis log time of the execution
 */
public record Decided(RequestId id, Reply reply, boolean replay, long position, long timeMillis) {

  /**
   * What the service answered.
   *
   * @throws BusinessErrorException if the service declined
   * @throws FailedException if the service failed inside the request
   * @throws ReplyTooLargeException if the reply was not kept
   */
  public Bytes bytes() {
    return Replies.bytes(reply, id);
  }
}
