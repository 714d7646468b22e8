package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Meaning;
import org.jspecify.annotations.Nullable;

/** How what one call of a method answers is remembered, handed out and given to retries. */
interface Keeping {
  /** The arguments to run the method with; called for each run. */
  @Nullable Object[] begin(@Nullable Object[] arguments);

  /**
   * All runs have ended, in whatever way, and so has what came behind them, such as callbacks of
   * the transaction.
   */
  default void end() {}

  /**
   * What is remembered of what the method returned.
   *
   * @throws RuntimeException if a retry would not get the same; the message says why
   */
  Reply keep(@Nullable Object value);

  /**
   * What the answer that was kept last says of the effect; a {@link Meaning#BUSINESS_ERROR} is
   * remembered.
   */
  default Meaning meaning() {
    return Meaning.BUSINESS_ERROR;
  }

  /** What is remembered of a business error; null if that is the exception itself. */
  default @Nullable Bytes keepError(Throwable thrown) {
    return null;
  }

  /**
   * Lets the caller have the remembered answer of a business error when this has reached it.
   *
   * @return whether there is an answer
   */
  default boolean answerBy(Throwable thrown, Reply reply, boolean replay) {
    return false;
  }

  /** What the first caller is given, once it is remembered. */
  @Nullable Object handOut(@Nullable Object value);

  /**
   * What a retry is given.
   *
   * @throws RuntimeException if what is remembered cannot be read
   */
  @Nullable Object replay(Reply reply);
}
