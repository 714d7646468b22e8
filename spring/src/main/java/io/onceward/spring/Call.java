package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Meaning;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a method with {@link Once}, which a home may run, several times if it must. */
final class Call {
  private static final Log LOG = LogFactory.getLog(Once.class);

  private final OnceMethod method;
  private final MethodInvocation invocation;
  private final BusinessExceptions exceptions;
  private @Nullable Object value;
  private @Nullable Throwable failure;

  Call(OnceMethod method, MethodInvocation invocation, BusinessExceptions exceptions) {
    this.method = method;
    this.invocation = invocation;
    this.exceptions = exceptions;
  }

  OnceMethod method() {
    return method;
  }

  /** What the last run returned. */
  @Nullable Object value() {
    return value;
  }

  /** What the last run threw, or why its value could not be kept. */
  @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Runs the method where nothing can be undone. What it returned is lost if it cannot be kept.
   *
   * @throws Ended with what the method threw
   */
  Reply run() {
    proceed(() -> {});
    try {
      return Reply.ok(written());
    } catch (RuntimeException e) {
      LOG.error("executed, without a reply to remember", unkept(e));
      return Reply.FAILED;
    }
  }

  /**
   * Runs the method where a failure undoes its effect, also a failure to keep what it returned.
   *
   * @param last a step that belongs to the method as if it was its last line
   * @throws Ended with what the method threw
   */
  Reply runUndoably(Runnable last) {
    proceed(last);
    try {
      return Reply.ok(written());
    } catch (RuntimeException e) {
      throw unkept(e);
    }
  }

  private void proceed(Runnable last) {
    value = null;
    failure = null;
    try {
      // A copy, because an invocation can be proceeded with only once.
      value =
          invocation instanceof ProxyMethodInvocation proxied
              ? proxied.invocableClone().proceed()
              : invocation.proceed();
      last.run();
    } catch (Error e) {
      throw e;
    } catch (Throwable thrown) {
      failure = thrown;
      Meaning meaning = method.meaning(thrown);
      throw new Ended(
          meaning,
          meaning == Meaning.BUSINESS_ERROR ? exceptions.write(thrown) : Bytes.EMPTY,
          thrown);
    }
  }

  private IllegalStateException unkept(RuntimeException cause) {
    IllegalStateException unkept =
        new IllegalStateException(
            "@Once on "
                + method.operation()
                + ": what it returns cannot be kept for a retry: "
                + cause.getMessage(),
            cause);
    failure = unkept;
    return unkept;
  }

  private Bytes written() {
    byte[] bytes = method.form().write(value);
    if (method.isToBeReadBack()) {
      method.form().read(bytes);
      method.hasBeenReadBack();
    }
    return Bytes.of(bytes);
  }
}
