package io.onceward.testkit.history.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease without an end: one holder at a time, "" for nobody. The answer is whether it was done:
 * taking what is free, giving back what one holds.
 */
public final class Mutex implements SequentialModel<String, Mutex.Ask, Boolean> {
  /** What the mutex is asked. */
  public sealed interface Ask {}

  public record Acquire(String holder) implements Ask {}

  public record Release(String holder) implements Ask {}

  @Override
  public String initial() {
    return "";
  }

  @Override
  public List<String> step(String state, Ask input, @Nullable Boolean output) {
    boolean possible;
    String after;
    if (input instanceof Acquire acquire) {
      possible = state.isEmpty();
      after = possible ? acquire.holder() : state;
    } else {
      possible = state.equals(((Release) input).holder());
      after = possible ? "" : state;
    }
    return output == null || output == possible ? List.of(after) : List.of();
  }
}
