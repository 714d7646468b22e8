package io.onceward.testkit.history.search;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A queue. An offer is answered by nothing, a poll by the oldest value, or nothing if empty. */
public final class FifoQueue implements SequentialModel<List<Long>, FifoQueue.Ask, OptionalLong> {
  /** What the queue is asked. */
  public sealed interface Ask {}

  public record Offer(long value) implements Ask {}

  public record Poll() implements Ask {}

  @Override
  public List<Long> initial() {
    return List.of();
  }

  @Override
  public List<List<Long>> step(List<Long> state, Ask input, @Nullable OptionalLong output) {
    if (input instanceof Offer offer) {
      List<Long> longer = new ArrayList<>(state);
      longer.add(offer.value());
      return List.of(List.copyOf(longer));
    }
    OptionalLong head = state.isEmpty() ? OptionalLong.empty() : OptionalLong.of(state.get(0));
    if (output != null && !output.equals(head)) {
      return List.of();
    }
    return List.of(state.isEmpty() ? state : List.copyOf(state.subList(1, state.size())));
  }
}
