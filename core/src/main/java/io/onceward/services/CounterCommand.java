package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/** What the counter service is asked. {@link Get} may be sent as a query. */
public sealed interface CounterCommand {

  /** Adds to a counter, which is at 0 before the first time. Answered by its new value. */
  record Add(String name, long amount) implements CounterCommand {
    public Add {
      ServiceLimits.checkName("name", name);
    }
  }

  /** Answered by the value; 0 if nobody added anything. */
  record Get(String name) implements CounterCommand {
    public Get {
      ServiceLimits.checkName("name", name);
    }
  }

  static Bytes encode(CounterCommand command) {
    if (command instanceof Add c) {
      return new PayloadWriter(1, c.name().length() + 8).utf8(c.name()).i64(c.amount()).done();
    } else if (command instanceof Get c) {
      return new PayloadWriter(2, c.name().length()).utf8(c.name()).done();
    }
    throw new IllegalArgumentException("no code is for " + command);
  }

  /**
   * Reads a command.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static CounterCommand decode(Bytes payload) {
    PayloadReader in = new PayloadReader("counter command", payload);
    int code = in.u8();
    CounterCommand command =
        switch (code) {
          case 1 -> new Add(in.utf8("name", 1, ServiceLimits.NAME_BYTES), in.i64());
          case 2 -> new Get(in.utf8("name", 1, ServiceLimits.NAME_BYTES));
          default -> throw in.unknown("command", code, 2);
        };
    in.finish();
    return command;
  }
}
