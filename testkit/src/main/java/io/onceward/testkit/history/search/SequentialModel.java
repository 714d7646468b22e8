package io.onceward.testkit.history.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service as it would be if operations came one after the other. States, inputs and outputs are
 * values: they do not change, and have {@code equals} and {@code hashCode}.
 *
 * @param <S> the state
 * @param <I> what is asked
 * @param <O> what is answered
 */
public interface SequentialModel<S, I, O> {

  S initial();

  /**
   * The states that an operation may lead to. None means that it cannot answer so in this state;
   * several, that the answer does not tell.
   *
   * @param output null if the answer is not known, so that every answer is possible
   */
  List<S> step(S state, I input, @Nullable O output);
}
