package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardException;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.http.KeyHeader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.validation.BindException;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * A request whose validation fails may be a retry of one that was valid: an e-mail that is not
 * registered yet is registered by the first copy, and each further one finds it used (E1). So
 * before it is told to be invalid, the answer that is remembered is looked for.
 */
final class RetryOfInvalid implements HandlerExceptionResolver, Ordered {
  private final OnceMethods methods;
  private final Asking asking;
  private final Homes homes;
  private final BusinessExceptions exceptions;
  private final AnswerWriter writer;
  private final ObjectProvider<HandlerExceptionResolver> resolvers;

  RetryOfInvalid(
      OnceMethods methods,
      Asking asking,
      Homes homes,
      BusinessExceptions exceptions,
      AnswerWriter writer,
      ObjectProvider<HandlerExceptionResolver> resolvers) {
    this.methods = methods;
    this.asking = asking;
    this.homes = homes;
    this.exceptions = exceptions;
    this.writer = writer;
    this.resolvers = resolvers;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception invalid) {
    if (!(handler instanceof HandlerMethod called)
        || !isOfValidation(invalid)
        || ServletSide.hasBeenEntered(request)
        || OnceMethods.annotationOf(called.getMethod()) == null) {
      return null;
    }
    @Nullable Object @Nullable [] arguments =
        ArgumentRecorder.argumentsOf(request, called.getMethod());
    return arguments == null ? null : lookedUp(request, response, called, arguments, invalid);
  }

  private static boolean isOfValidation(Exception failure) {
    return failure instanceof BindException
        || failure instanceof HandlerMethodValidationException
        || ReturnForm.hasType(failure.getClass(), "jakarta.validation.ValidationException");
  }

  private @Nullable ModelAndView lookedUp(
      HttpServletRequest request,
      HttpServletResponse response,
      HandlerMethod handler,
      @Nullable Object[] arguments,
      Exception invalid) {
    Object bean = handler.createWithResolvedBean().getBean();
    Object target = AopProxyUtils.getSingletonTarget(bean);
    Method called = handler.getMethod();
    OnceMethod method = methods.of(called, ClassUtils.getUserClass(bean));
    Ask ask;
    try {
      ask = asking.ask(method, target == null ? bean : target, arguments);
    } catch (RuntimeException e) {
      // Of a key that is none, or an expression that wants valid arguments: invalid as it was.
      return null;
    }
    if (ask == null || !method.isHandler()) {
      return null;
    }
    KeptAnswer answer =
        new KeptAnswer(new ServletWebRequest(request, response), handler, method, writer.others());
    Call call = Call.thatOnlyLooks(method, exceptions, answer, invalid);
    Ruling ruling = found(homes.of(method), ask, call);
    if (ruling == null || ruling instanceof Ruling.DidNotHappen) {
      return null;
    }
    try {
      if (ruling instanceof Ruling.Replied replied && replied.reply().kind() == Reply.Kind.OK) {
        Object value = call.replay(replied.reply());
        if (!KeptAnswer.writeAnswerOf(request)) {
          answer.writeIfSaid(value);
        }
        return new ModelAndView();
      }
    } catch (IOException | RuntimeException e) {
      return elsewhere(request, response, handler, GuardException.of(ask.id(), ruling, e));
    }
    return elsewhere(request, response, handler, told(ask, ruling));
  }

  /**
   * What a copy is told, or null if there is nothing to tell. Only a look at what is known, unless
   * it was decided or is about to be: a claim could take over what nobody knows the end of, and
   * would keep the key for arguments that are not valid.
   */
  private static @Nullable Ruling found(Home home, Ask ask, Call call) {
    GuardedOutcome known;
    try {
      known = home.outcome(ask.id());
    } catch (StoreUnavailableException e) {
      return new Ruling.NoStore(e);
    } catch (UnsupportedOperationException e) {
      // A store of the application's own, which tells by a claim or not at all.
      return home.decide(ask, call);
    }
    if (known instanceof GuardedOutcome.NeverSeen
        || known instanceof GuardedOutcome.NoRecordSince
        || known instanceof GuardedOutcome.DidNotHappen) {
      return null;
    }
    return known instanceof GuardedOutcome.Unknown unknown
        ? new Ruling.Unknown(unknown.request().why(), null)
        : home.decide(ask, call);
  }

  private Exception told(Ask ask, Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied
        && replied.reply().kind() == Reply.Kind.BUSINESS_ERROR) {
      try {
        if (exceptions.read(replied.reply().bytes()) instanceof Exception error) {
          return error;
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        return GuardException.of(ask.id(), ruling, e);
      }
    }
    return GuardException.of(ask.id(), ruling);
  }

  /** By those who say what exceptions of the method say. */
  private @Nullable ModelAndView elsewhere(
      HttpServletRequest request,
      HttpServletResponse response,
      HandlerMethod handler,
      Exception said) {
    if (!(said instanceof GuardException)) {
      response.setHeader(KeyHeader.REPLAYED, "true");
    }
    for (HandlerExceptionResolver each : resolvers.orderedStream().toList()) {
      ModelAndView resolved =
          each == this ? null : each.resolveException(request, response, handler, said);
      if (resolved != null) {
        return resolved;
      }
    }
    return null;
  }
}
