package io.onceward.testkit.history.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A counter from 0. What is asked is the amount to add, 0 for a read; the answer is the value
 * afterwards.
 */
public final class AddingCounter implements SequentialModel<Long, Long, Long> {
  @Override
  public Long initial() {
    return 0L;
  }

  @Override
  public List<Long> step(Long state, Long input, @Nullable Long output) {
    Long after = state + input;
    return output == null || output.equals(after) ? List.of(after) : List.of();
  }
}
