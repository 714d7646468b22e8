package io.onceward.client;

import io.onceward.Outcome;
import io.onceward.RequestId;
import java.util.concurrent.CompletableFuture;

/** Who can say what became of a request. */
interface Knowing {
  /** Whether it knows more about this than the log does, or may; any thread may ask. */
  boolean owns(RequestId id);

  CompletableFuture<Outcome> outcome(RequestId id);

  CompletableFuture<Abandonment> abandon(RequestId id);
}
