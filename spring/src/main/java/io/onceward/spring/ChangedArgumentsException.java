package io.onceward.spring;

/**
 * A run that was rolled back has left its arguments changed, or detached from the persistence
 * context, so that another with them would not do what was asked.
 */
final class ChangedArgumentsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ChangedArgumentsException(OnceMethod method) {
    super(
        "a run of "
            + method.operation()
            + " that was rolled back has changed its arguments, so it is not run again with them");
  }
}
