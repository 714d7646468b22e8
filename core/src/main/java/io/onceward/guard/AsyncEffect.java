package io.onceward.guard;

import io.onceward.Reply;
import java.util.concurrent.CompletionStage;

/** An {@link Effect} that answers later. */
@FunctionalInterface
public interface AsyncEffect {
  /**
   * Begins at most once at a time for each id. An exception, thrown here or by the stage, means
   * what it would mean in an {@link Effect}. A stage that never completes leaves the request
   * unknown when its lease ends.
   */
  CompletionStage<Reply> run(Run run) throws Exception;
}
