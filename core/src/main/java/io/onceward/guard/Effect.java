package io.onceward.guard;

import io.onceward.Reply;

/** What is to happen once, and what it answers. */
@FunctionalInterface
public interface Effect {
  /**
   * Runs at most once at a time for each id. A business error may be returned as a reply or thrown
   * and classified ({@link Meaning}). Everything else that it throws leaves the request unknown.
   */
  Reply run(Run run) throws Exception;
}
