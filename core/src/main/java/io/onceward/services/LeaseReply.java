package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/** What the lease service answers when all is well; a business error is a text. */
public sealed interface LeaseReply {

  /**
   * The lease is the holder's.
   *
   * @param token the fencing token: above that of every lease granted before. Whoever the holder
   *     talks to should refuse a token below one that it has seen, because a holder that was
   *     stopped for a while does not notice that its lease is over
   * @param expiresMillis the log time at which it is expected to be over. It is measured by age
   *     (T3): outages of the cluster and changes of its leader do not count and put the end off
   */
  record Granted(long token, long expiresMillis) implements LeaseReply {}

  record Released() implements LeaseReply {}

  /** Somebody holds it. */
  record Held(String holder, long token, long expiresMillis) implements LeaseReply {}

  /** Nobody holds it. */
  record Free() implements LeaseReply {}

  static Bytes encode(LeaseReply reply) {
    if (reply instanceof Granted r) {
      return new PayloadWriter(1, 16).varint(r.token()).i64(r.expiresMillis()).done();
    } else if (reply instanceof Released) {
      return new PayloadWriter(2, 0).done();
    } else if (reply instanceof Held r) {
      return new PayloadWriter(3, 64)
          .utf8(r.holder())
          .varint(r.token())
          .i64(r.expiresMillis())
          .done();
    } else if (reply instanceof Free) {
      return new PayloadWriter(4, 0).done();
    }
    throw new IllegalArgumentException("no code is for " + reply);
  }

  /**
   * Reads a reply.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static LeaseReply decode(Bytes payload) {
    PayloadReader in = new PayloadReader("lease reply", payload);
    int code = in.u8();
    LeaseReply reply =
        switch (code) {
          case 1 -> new Granted(token(in), in.i64());
          case 2 -> new Released();
          case 3 -> new Held(in.utf8("holder", 1, ServiceLimits.NAME_BYTES), token(in), in.i64());
          case 4 -> new Free();
          default -> throw in.unknown("reply", code, 4);
        };
    in.finish();
    return reply;
  }

  private static long token(PayloadReader in) {
    return in.number("token", 1, Long.MAX_VALUE);
  }
}
