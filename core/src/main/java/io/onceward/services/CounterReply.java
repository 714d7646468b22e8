package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/**
 * What the counter service answers when all is well; a business error is a text.
 *
 * @param value of the counter, after the addition if there was one
 */
public record CounterReply(long value) {

  public static Bytes encode(CounterReply reply) {
    return new PayloadWriter(1, 0).i64(reply.value()).done();
  }

  /**
   * Reads a reply.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  public static CounterReply decode(Bytes payload) {
    PayloadReader in = new PayloadReader("counter reply", payload);
    int code = in.u8();
    if (code != 1) {
      throw in.unknown("reply", code, 1);
    }
    CounterReply reply = new CounterReply(in.i64());
    in.finish();
    return reply;
  }
}
