package io.onceward.guard;

/** What is to happen once, with a typed result. */
@FunctionalInterface
public interface TypedEffect<T> {
  /** As {@link Effect#run}, but the result is encoded by the codec of {@link Once}. */
  T run(Run run) throws Exception;
}
