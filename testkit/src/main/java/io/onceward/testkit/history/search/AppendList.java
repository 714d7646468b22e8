package io.onceward.testkit.history.search;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list that grows. An append is answered by an empty list, a read by the whole one. */
public final class AppendList implements SequentialModel<List<Long>, AppendList.Ask, List<Long>> {
  /** What the list is asked. */
  public sealed interface Ask {}

  public record Append(long value) implements Ask {}

  public record Read() implements Ask {}

  @Override
  public List<Long> initial() {
    return List.of();
  }

  @Override
  public List<List<Long>> step(List<Long> state, Ask input, @Nullable List<Long> output) {
    if (input instanceof Append append) {
      List<Long> longer = new ArrayList<>(state);
      longer.add(append.value());
      return List.of(List.copyOf(longer));
    }
    return output == null || output.equals(state) ? List.of(state) : List.of();
  }
}
