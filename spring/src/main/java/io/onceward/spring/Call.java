package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Meaning;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a method with {@link Once}, which a home may run, several times if it must. */
final class Call {
  private static final Log LOG = LogFactory.getLog(Once.class);

  private final OnceMethod method;
  private final @Nullable MethodInvocation invocation;
  private final BusinessExceptions exceptions;
  private final Keeping keeping;
  private final BooleanSupplier asksTheSame;
  private final @Nullable Exception instead;
  private boolean hasRun;
  private @Nullable Object value;
  private @Nullable Throwable failure;

  /**
   * A call.
   *
   * @param asksTheSame whether its arguments still are what they were when it came
   */
  Call(
      OnceMethod method,
      MethodInvocation invocation,
      BusinessExceptions exceptions,
      Keeping keeping,
      BooleanSupplier asksTheSame) {
    this(method, invocation, exceptions, keeping, asksTheSame, null);
  }

  private Call(
      OnceMethod method,
      @Nullable MethodInvocation invocation,
      BusinessExceptions exceptions,
      Keeping keeping,
      BooleanSupplier asksTheSame,
      @Nullable Exception instead) {
    this.instead = instead;
    this.asksTheSame = asksTheSame;
    this.method = method;
    this.invocation = invocation;
    this.exceptions = exceptions;
    this.keeping = keeping;
  }

  /** A call that runs nothing: it finds what is remembered, or leaves all as it was. */
  static Call thatOnlyLooks(
      OnceMethod method, BusinessExceptions exceptions, Keeping keeping, Exception instead) {
    return new Call(method, null, exceptions, keeping, () -> true, instead);
  }

  OnceMethod method() {
    return method;
  }

  /** It is decided, and what is to be committed is: nothing of a run is under way any more. */
  void end() {
    keeping.end();
  }

  /** What the last run returned, for the first caller. */
  @Nullable Object handOut() {
    return keeping.handOut(value);
  }

  /** What is remembered of an earlier run, for a retry. */
  @Nullable Object replay(Reply reply) {
    return keeping.replay(reply);
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
    try {
      proceed(() -> {});
      return kept();
    } catch (Ended e) {
      throw e;
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
    try {
      proceed(last);
      return kept();
    } catch (Ended e) {
      throw e;
    } catch (RuntimeException e) {
      throw unkept(e);
    }
  }

  private Reply kept() {
    Reply reply = keeping.keep(value);
    Meaning meaning = keeping.meaning();
    if (meaning != Meaning.BUSINESS_ERROR) {
      PassingAnswerException passing = new PassingAnswerException();
      failure = passing;
      throw new Ended(meaning, Bytes.EMPTY, passing);
    }
    return reply;
  }

  /** Whether the last run has an answer for its caller alone. */
  boolean hasPassingAnswer() {
    return failure instanceof PassingAnswerException;
  }

  /** Whether there was no last run, because the one before it has changed the arguments. */
  boolean hasChangedArguments() {
    return failure instanceof ChangedArgumentsException;
  }

  /** Lets the caller have the remembered answer when this reaches it. */
  boolean answerBy(Throwable thrown, Reply reply, boolean replay) {
    return keeping.answerBy(thrown, reply, replay);
  }

  private void proceed(Runnable last) {
    value = null;
    failure = null;
    if (invocation == null) {
      throw new Ended(
          Meaning.DID_NOT_HAPPEN, Bytes.EMPTY, Objects.requireNonNull(instead, "instead"));
    }
    if (hasRun && !asksTheSame.getAsBoolean()) {
      ChangedArgumentsException changed = new ChangedArgumentsException(method);
      failure = changed;
      throw new Ended(Meaning.DID_NOT_HAPPEN, Bytes.EMPTY, changed);
    }
    hasRun = true;
    try {
      value = invoke(invocation);
      last.run();
    } catch (Error e) {
      throw e;
    } catch (Throwable thrown) {
      failure = thrown;
      Meaning meaning = meaning(invocation, thrown);
      throw new Ended(
          meaning, meaning == Meaning.BUSINESS_ERROR ? errorOf(thrown) : Bytes.EMPTY, thrown);
    }
  }

  private Meaning meaning(MethodInvocation invocation, Throwable thrown) {
    Meaning meaning = method.meaning(thrown);
    return meaning == Meaning.UNKNOWN && Innermost.refused(invocation, thrown)
        ? Meaning.DID_NOT_HAPPEN
        : meaning;
  }

  private Bytes errorOf(Throwable thrown) {
    Bytes answer = keeping.keepError(thrown);
    return answer == null ? exceptions.write(thrown) : answer;
  }

  private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    if (!(invocation instanceof ProxyMethodInvocation proxied)) {
      return invocation.proceed();
    }
    Innermost.begin(proxied);
    @Nullable Object[] arguments = keeping.begin(invocation.getArguments());
    // A copy, because an invocation can be proceeded with only once.
    return proxied.invocableClone(arguments).proceed();
  }

  private RuntimeException unkept(RuntimeException cause) {
    if (cause instanceof InsteadException told) {
      failure = told.instead();
      return cause;
    }
    IllegalStateException unkept =
        new IllegalStateException(
            "@Once on "
                + method.operation()
                + ": what it answers cannot be kept for a retry: "
                + cause.getMessage(),
            cause);
    failure = unkept;
    return unkept;
  }
}
