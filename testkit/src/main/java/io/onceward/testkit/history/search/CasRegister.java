package io.onceward.testkit.history.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A register of one number, which is 0 at first. A read is answered by the value, a write by 0, a
 * compare-and-set by 1 if it took place and 0 if not.
 */
public final class CasRegister implements SequentialModel<Long, CasRegister.Ask, Long> {
  /** What the register is asked. */
  public sealed interface Ask {}

  public record Read() implements Ask {}

  public record Write(long value) implements Ask {}

  public record CompareAndSet(long expected, long value) implements Ask {}

  @Override
  public Long initial() {
    return 0L;
  }

  @Override
  public List<Long> step(Long state, Ask input, @Nullable Long output) {
    if (input instanceof Write write) {
      return List.of(write.value());
    } else if (input instanceof CompareAndSet set) {
      boolean takesPlace = state == set.expected();
      return output == null || output == (takesPlace ? 1 : 0)
          ? List.of(takesPlace ? (Long) set.value() : state)
          : List.of();
    }
    return output == null || output.equals(state) ? List.of(state) : List.of();
  }
}
