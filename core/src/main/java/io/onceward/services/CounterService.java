package io.onceward.services;

import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;

/**
 * Numbers that are added to. A counter that nobody touched and one that is back at 0 are the same,
 * so only others take room.
 */
final class CounterService implements Service {
  private static final int SNAPSHOT_VERSION = 1;

  /** About what a counter takes beside the characters of its name, in a sparse page. */
  private static final int COUNTER_BYTES = 160;

  private FreezableMap<String, Long> counters = new FreezableMap<>();
  private long stateBytes;

  @Override
  public String obstacle(Command command, long bytesLeft) {
    if (COUNTER_BYTES + 2L * command.payload().length() <= bytesLeft) {
      return "";
    }
    try {
      return CounterCommand.decode(command.payload()) instanceof CounterCommand.Add add
              && add.amount() != 0
              && counters.get(add.name()) == null
          ? ServiceLimits.obstacle(bytes(add.name()), bytesLeft)
          : "";
    } catch (DamagedException e) {
      return "";
    }
  }

  private static long bytes(String name) {
    return COUNTER_BYTES + 2L * name.length();
  }

  @Override
  public long stateBytes() {
    return stateBytes;
  }

  @Override
  public Reply execute(Command command) {
    CounterCommand asked;
    try {
      asked = CounterCommand.decode(command.payload());
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
    return asked instanceof CounterCommand.Add add ? add(add) : read(asked);
  }

  @Override
  public Reply query(Command question) {
    try {
      return read(CounterCommand.decode(question.payload()));
    } catch (DamagedException e) {
      return PayloadReader.refusal(e);
    }
  }

  private Reply read(CounterCommand asked) {
    if (asked instanceof CounterCommand.Get get) {
      return ok(valueOf(get.name()));
    }
    return Reply.businessError("this changes a counter: send it as a command, not as a query");
  }

  private Reply add(CounterCommand.Add add) {
    long before = valueOf(add.name());
    long after = before + add.amount();
    if (((before ^ after) & (add.amount() ^ after)) < 0) {
      return Reply.businessError(
          "counter is at " + before + "; adding " + add.amount() + " would overflow");
    }
    if (after == 0) {
      stateBytes -= counters.remove(add.name()) == null ? 0 : bytes(add.name());
    } else {
      stateBytes += counters.put(add.name(), after) == null ? bytes(add.name()) : 0;
    }
    return ok(after);
  }

  private long valueOf(String name) {
    Long value = counters.get(name);
    return value == null ? 0 : value;
  }

  private static Reply ok(long value) {
    return Reply.ok(CounterReply.encode(new CounterReply(value)));
  }

  @Override
  public Frozen freeze() {
    FreezableMap.View<String, Long> frozen = counters.freeze();
    return out -> {
      StateOutput state = new StateOutput(out, SNAPSHOT_VERSION);
      state.i64(frozen.size());
      frozen.<IOException>forEach(
          (name, value) -> {
            state.utf8(name);
            state.i64(value);
            return true;
          });
      state.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    StateInput state = new StateInput("counter service", in, SNAPSHOT_VERSION);
    FreezableMap<String, Long> restored = new FreezableMap<>();
    long count = state.i64();
    long restoredBytes = 0;
    for (long i = 0; i < count; i++) {
      String name = state.utf8(ServiceLimits.NAME_BYTES);
      restoredBytes += restored.put(name, state.i64()) == null ? bytes(name) : 0;
    }
    state.finish();
    counters = restored;
    stateBytes = restoredBytes;
  }
}
