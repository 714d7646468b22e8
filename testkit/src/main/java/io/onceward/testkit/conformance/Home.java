package io.onceward.testkit.conformance;

import io.onceward.Fingerprint;
import io.onceward.guard.GuardedId;
import org.jspecify.annotations.Nullable;

/**
 * A home as the scripts see it: something that remembers requests and has effects. Answers are
 * words, made by {@link Words}, so that every home says the same in the same way.
 */
public interface Home extends AutoCloseable {

  /**
   * Sends one copy of a request and waits for what is said of it.
   *
   * @param wish what the effect is to do; a home passes it to its {@link Effects}
   */
  String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish);

  /** What became of a request (O1). */
  String outcome(GuardedId id);

  /** Closes a request unless it executed (O2). */
  String abandon(GuardedId id);

  /** The reply was taken and the id will not be sent again (K2). */
  String acknowledge(GuardedId id);

  /** How often the effect of this wish took place and was not undone. */
  int effects(String wish);

  @Override
  void close();
}
