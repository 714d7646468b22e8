package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/**
 * What the key-value service is asked. {@link Get} and {@link Page} may be sent as queries; the
 * others change something and must be commands.
 */
public sealed interface KeyValueCommand {

  /** Sets a value whatever was there. Answered by {@link KeyValueReply.Stored}. */
  record Put(Bytes key, Bytes value) implements KeyValueCommand {
    public Put {
      ServiceLimits.checkKey("key", key, 1);
    }
  }

  /** Answered by {@link KeyValueReply.Found} or {@link KeyValueReply.Absent}. */
  record Get(Bytes key) implements KeyValueCommand {
    public Get {
      ServiceLimits.checkKey("key", key, 1);
    }
  }

  /** Answered by {@link KeyValueReply.Deleted}. */
  record Delete(Bytes key) implements KeyValueCommand {
    public Delete {
      ServiceLimits.checkKey("key", key, 1);
    }
  }

  /**
   * Sets a value if the key has the expected version. Answered by {@link KeyValueReply.Stored}, or
   * a business error that tells the version.
   *
   * @param expectedVersion 0 if the key must not be there
   */
  record CompareAndSet(Bytes key, long expectedVersion, Bytes value) implements KeyValueCommand {
    public CompareAndSet {
      ServiceLimits.checkKey("key", key, 1);
      ServiceLimits.checkNumber("expected version", expectedVersion, 0, Long.MAX_VALUE);
    }
  }

  /**
   * Entries in the order of their keys. Answered by {@link KeyValueReply.Entries}.
   *
   * @param prefix what the keys begin with; may be empty
   * @param after only keys above this one; empty for the first page
   * @param limit how many at most
   */
  record Page(Bytes prefix, Bytes after, int limit) implements KeyValueCommand {
    public Page {
      ServiceLimits.checkKey("prefix", prefix, 0);
      ServiceLimits.checkKey("after", after, 0);
      ServiceLimits.checkNumber("limit", limit, 1, ServiceLimits.LIST_ENTRIES);
    }
  }

  static Bytes encode(KeyValueCommand command) {
    if (command instanceof Put c) {
      return new PayloadWriter(1, c.key().length() + c.value().length())
          .bytes(c.key())
          .rest(c.value())
          .done();
    } else if (command instanceof Get c) {
      return new PayloadWriter(2, c.key().length()).bytes(c.key()).done();
    } else if (command instanceof Delete c) {
      return new PayloadWriter(3, c.key().length()).bytes(c.key()).done();
    } else if (command instanceof CompareAndSet c) {
      return new PayloadWriter(4, c.key().length() + c.value().length() + 10)
          .bytes(c.key())
          .varint(c.expectedVersion())
          .rest(c.value())
          .done();
    } else if (command instanceof Page c) {
      return new PayloadWriter(5, c.prefix().length() + c.after().length() + 10)
          .bytes(c.prefix())
          .bytes(c.after())
          .varint(c.limit())
          .done();
    }
    throw new IllegalArgumentException("no code is for " + command);
  }

  /**
   * Reads a command; its bytes are views into the payload.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static KeyValueCommand decode(Bytes payload) {
    PayloadReader in = new PayloadReader("key-value command", payload);
    int code = in.u8();
    KeyValueCommand command =
        switch (code) {
          case 1 -> new Put(key(in), in.rest());
          case 2 -> new Get(key(in));
          case 3 -> new Delete(key(in));
          case 4 ->
              new CompareAndSet(
                  key(in), in.number("expected version", 0, Long.MAX_VALUE), in.rest());
          case 5 ->
              new Page(
                  in.bytes("prefix", 0, ServiceLimits.KEY_BYTES),
                  in.bytes("after", 0, ServiceLimits.KEY_BYTES),
                  (int) in.number("limit", 1, ServiceLimits.LIST_ENTRIES));
          default -> throw in.unknown("command", code, 5);
        };
    in.finish();
    return command;
  }

  private static Bytes key(PayloadReader in) {
    return in.bytes("key", 1, ServiceLimits.KEY_BYTES);
  }
}
