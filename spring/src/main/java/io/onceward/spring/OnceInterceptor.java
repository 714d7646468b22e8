package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardException;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The way of a call of a method with {@link Once}: ask, decide in its home, answer. It stands
 * outside of Spring's own transaction advice, since a reply may be handed out only after the
 * commit; and inside of what checks permissions, so that a replay needs them too.
 */
final class OnceInterceptor implements MethodInterceptor {
  private final OnceMethods methods;
  private final Asking asking;
  private final Homes homes;
  private final BusinessExceptions exceptions;
  private final WebSide web;

  OnceInterceptor(
      OnceMethods methods, Asking asking, Homes homes, BusinessExceptions exceptions, WebSide web) {
    this.methods = methods;
    this.asking = asking;
    this.homes = homes;
    this.exceptions = exceptions;
    this.web = web;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = Objects.requireNonNull(invocation.getThis());
    OnceMethod method = methods.of(invocation.getMethod(), target.getClass());
    Ask ask = asking.ask(method, target, invocation.getArguments());
    if (ask == null) {
      return invocation.proceed();
    }
    Keeping answer = web.entered(method);
    BooleanSupplier asksTheSame =
        () -> asking.asksTheSame(ask, method, target, invocation.getArguments());
    try {
      return decided(
          ask, new Call(method, invocation, exceptions, keeping(method, answer), asksTheSame));
    } finally {
      if (answer != null) {
        web.left();
      }
    }
  }

  private static Keeping keeping(OnceMethod method, @Nullable Keeping answer) {
    return answer != null ? answer : new KeptValue(method.form());
  }

  private @Nullable Object decided(Ask ask, Call call) throws Throwable {
    Ruling ruling;
    try {
      ruling = homes.of(call.method()).decide(ask, call);
    } finally {
      call.end();
    }
    if (call.hasPassingAnswer()
        && (ruling instanceof Ruling.DidNotHappen || ruling instanceof Ruling.Unknown)) {
      return call.handOut();
    }
    if (ruling instanceof Ruling.Replied replied) {
      return replied(ask.id(), call, replied);
    }
    if (ruling instanceof Ruling.DidNotHappen failed && !call.hasChangedArguments()) {
      throw whatTheMethodThrew(call, failed.cause());
    }
    throw GuardException.of(ask.id(), ruling);
  }

  private @Nullable Object replied(GuardedId id, Call call, Ruling.Replied replied)
      throws Throwable {
    if (replied.replay() && call.method().isHandler()) {
      web.markReplayed();
    }
    Reply reply = replied.reply();
    switch (reply.kind()) {
      case OK -> {
        return replied.replay() ? readBack(id, call, replied) : call.handOut();
      }
      case BUSINESS_ERROR -> throw businessError(id, call, replied);
      case FAILED, REPLY_TOO_LARGE -> throw GuardException.of(id, replied, call.failure());
    }
    throw new IllegalStateException("a reply of no kind: " + reply);
  }

  private static @Nullable Object readBack(GuardedId id, Call call, Ruling.Replied replied) {
    try {
      return call.replay(replied.reply());
    } catch (RuntimeException e) {
      throw GuardException.of(id, replied, e);
    }
  }

  private Throwable businessError(GuardedId id, Call call, Ruling.Replied replied) {
    Throwable own = call.failure();
    if (!replied.replay() && own != null) {
      call.answerBy(own, replied.reply(), false);
      return own;
    }
    GuardException said = GuardException.of(id, replied);
    if (call.answerBy(said, replied.reply(), true)) {
      return said;
    }
    try {
      return exceptions.read(replied.reply().bytes());
    } catch (ReflectiveOperationException | RuntimeException e) {
      return GuardException.of(id, replied, e);
    }
  }

  /** The method's own exception, or the one that its transaction ended with. */
  private static Throwable whatTheMethodThrew(Call call, Throwable cause) {
    Throwable own = call.failure();
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at == own) {
        return own;
      }
    }
    return cause;
  }
}
