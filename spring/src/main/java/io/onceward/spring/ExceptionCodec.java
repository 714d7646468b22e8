package io.onceward.spring;

/**
 * How a business error that is an exception becomes text and comes back. Needed as a bean for those
 * that say more than their message; others are made again from it.
 */
public interface ExceptionCodec<E extends Throwable> {
  /** The class that this is for, with those below it that have no codec of their own. */
  Class<E> type();

  String write(E exception);

  E read(String text);
}
