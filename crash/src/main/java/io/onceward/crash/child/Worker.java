package io.onceward.crash.child;

import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.crash.bank.Transfer;

/** How one lane does transfers in its home. */
interface Worker {
  /** What can be done while the process before this one still lives. */
  void prepare() throws Exception;

  /** The process before this one is dead. */
  default void begin() throws Exception {}

  /** One copy of a request; gives the line that is told to the caller. */
  String run(Key key, Transfer transfer) throws Exception;

  /** The caller has the answer and will not ask again. */
  default void taken(String request) {}

  /** The fence of a request whose fate is unknown, 0 if it is not in the queue. */
  default long queued(Key key) {
    throw new UnsupportedOperationException();
  }

  /** An operator's word; null means that it can no longer happen. */
  default boolean resolve(Key key, long fence, @org.jspecify.annotations.Nullable Reply happened) {
    throw new UnsupportedOperationException();
  }

  /** The line for a reply. */
  static String replied(Reply reply, boolean replay, boolean probed) {
    return "replied " + reply.kind() + " " + replay + " " + probed + " " + reply.bytes().asText();
  }
}
