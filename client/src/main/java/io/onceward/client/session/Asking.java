package io.onceward.client.session;

import org.jspecify.annotations.Nullable;

/** What is asked for, with all the copies of it that are ever sent. */
public abstract class Asking {
  private @Nullable Object carrier;

  /** Whether no copy of it is of any use any more. */
  public abstract boolean isDecided();

  /** What carries the latest copy over the network; the logic does not look into this. */
  public final @Nullable Object carrier() {
    return carrier;
  }

  public final void carriedBy(Object latest) {
    carrier = latest;
  }
}
