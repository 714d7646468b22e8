package io.onceward.testkit.history.search;

import org.jspecify.annotations.Nullable;

/**
 * One operation of a history.
 *
 * @param name how an explanation calls it
 * @param key operations on different keys have nothing to do with each other
 * @param invoked when it was sent; it takes effect later than that
 * @param answered when its answer came; it took effect before. {@link #PENDING} if none did: it may
 *     take effect at any later time, or never
 * @param output null if it is pending
 */
public record Operation<I, O>(
    String name, Object key, long invoked, long answered, I input, @Nullable O output) {
  public static final long PENDING = Long.MAX_VALUE;

  public Operation {
    if (answered < invoked) {
      throw new IllegalArgumentException(name + " was answered before it was sent");
    }
    if ((answered == PENDING) != (output == null)) {
      throw new IllegalArgumentException(name + " has an answer if and only if it is not pending");
    }
  }

  /** An operation whose answer is known. */
  public static <I, O> Operation<I, O> answered(
      String name, Object key, long invoked, long answered, I input, O output) {
    return new Operation<>(name, key, invoked, answered, input, output);
  }

  /** An operation whose outcome is not known. */
  public static <I, O> Operation<I, O> pending(String name, Object key, long invoked, I input) {
    return new Operation<>(name, key, invoked, PENDING, input, null);
  }

  boolean isPending() {
    return answered == PENDING;
  }

  /** The same without what was heard later than a moment. */
  Operation<I, O> knownAt(long moment) {
    return answered <= moment ? this : new Operation<>(name, key, invoked, PENDING, input, null);
  }

  @Override
  public String toString() {
    return name
        + ": "
        + input
        + (isPending()
            ? " → ? from " + invoked
            : " → " + output + " from " + invoked + " to " + answered);
  }
}
