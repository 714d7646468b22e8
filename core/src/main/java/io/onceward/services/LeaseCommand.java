package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/** What the lease service is asked. {@link Get} may be sent as a query. */
public sealed interface LeaseCommand {

  /**
   * Takes a lease that nobody holds. Answered by {@link LeaseReply.Granted}. If somebody holds it,
   * be it the same holder, that is a business error which tells who and until when: a retry never
   * meets it, since a retry gets the first answer.
   */
  record Acquire(String name, String holder, long ttlMillis) implements LeaseCommand {
    public Acquire {
      ServiceLimits.checkName("name", name);
      ServiceLimits.checkName("holder", holder);
      ServiceLimits.checkNumber("ttl", ttlMillis, 1, ServiceLimits.LEASE_MILLIS);
    }
  }

  /** Lets a lease live for so long from now. Answered by {@link LeaseReply.Granted}. */
  record Renew(String name, String holder, long token, long ttlMillis) implements LeaseCommand {
    public Renew {
      ServiceLimits.checkName("name", name);
      ServiceLimits.checkName("holder", holder);
      ServiceLimits.checkNumber("token", token, 1, Long.MAX_VALUE);
      ServiceLimits.checkNumber("ttl", ttlMillis, 1, ServiceLimits.LEASE_MILLIS);
    }
  }

  /** Gives a lease back. Answered by {@link LeaseReply.Released}. */
  record Release(String name, String holder, long token) implements LeaseCommand {
    public Release {
      ServiceLimits.checkName("name", name);
      ServiceLimits.checkName("holder", holder);
      ServiceLimits.checkNumber("token", token, 1, Long.MAX_VALUE);
    }
  }

  /** Answered by {@link LeaseReply.Held} or {@link LeaseReply.Free}. */
  record Get(String name) implements LeaseCommand {
    public Get {
      ServiceLimits.checkName("name", name);
    }
  }

  static Bytes encode(LeaseCommand command) {
    if (command instanceof Acquire c) {
      return begin(1, c.name()).utf8(c.holder()).varint(c.ttlMillis()).done();
    } else if (command instanceof Renew c) {
      return begin(2, c.name()).utf8(c.holder()).varint(c.token()).varint(c.ttlMillis()).done();
    } else if (command instanceof Release c) {
      return begin(3, c.name()).utf8(c.holder()).varint(c.token()).done();
    } else if (command instanceof Get c) {
      return begin(4, c.name()).done();
    }
    throw new IllegalArgumentException("no code is for " + command);
  }

  private static PayloadWriter begin(int code, String name) {
    return new PayloadWriter(code, 64).utf8(name);
  }

  /**
   * Reads a command.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static LeaseCommand decode(Bytes payload) {
    PayloadReader in = new PayloadReader("lease command", payload);
    int code = in.u8();
    LeaseCommand command =
        switch (code) {
          case 1 -> new Acquire(name(in), holder(in), ttl(in));
          case 2 -> new Renew(name(in), holder(in), token(in), ttl(in));
          case 3 -> new Release(name(in), holder(in), token(in));
          case 4 -> new Get(name(in));
          default -> throw in.unknown("command", code, 4);
        };
    in.finish();
    return command;
  }

  private static String name(PayloadReader in) {
    return in.utf8("name", 1, ServiceLimits.NAME_BYTES);
  }

  private static String holder(PayloadReader in) {
    return in.utf8("holder", 1, ServiceLimits.NAME_BYTES);
  }

  private static long token(PayloadReader in) {
    return in.number("token", 1, Long.MAX_VALUE);
  }

  private static long ttl(PayloadReader in) {
    return in.number("ttl", 1, ServiceLimits.LEASE_MILLIS);
  }
}
