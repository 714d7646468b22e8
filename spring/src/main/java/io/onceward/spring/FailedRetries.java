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
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.validation.BindException;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * A request that fails before its method is reached may be a retry of one that came through: an
 * e-mail that is not registered yet is registered by the first copy, and each further one finds it
 * used; an account that the first has closed cannot be loaded for the second (E1). So before it is
 * told what is wrong, the answer that is remembered is looked for. Not where it is refused for who
 * sends it.
 */
final class FailedRetries implements HandlerExceptionResolver, Ordered {
  /** Statuses that say that somebody else may be let in. */
  private static final Set<Integer> REFUSED = Set.of(401, 403, 407);

  private static final Duration SOON = Duration.ofSeconds(1);

  private final OnceMethods methods;
  private final Asking asking;
  private final Homes homes;
  private final BusinessExceptions exceptions;
  private final AnswerWriter writer;
  private final ErrorAnswers errors;

  FailedRetries(
      OnceMethods methods,
      Asking asking,
      Homes homes,
      BusinessExceptions exceptions,
      AnswerWriter writer,
      ErrorAnswers errors) {
    this.methods = methods;
    this.asking = asking;
    this.homes = homes;
    this.exceptions = exceptions;
    this.writer = writer;
    this.errors = errors;
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
      Exception failure) {
    try {
      if (KeptAnswer.writeErrorOf(request, failure)) {
        return new ModelAndView();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!(handler instanceof HandlerMethod called)
        || ServletSide.hasBeenEntered(request)
        || OnceMethods.annotationOf(called.getMethod()) == null
        || isOfSecurity(failure)) {
      return null;
    }
    ArgumentRecorder.Resolved known = ArgumentRecorder.argumentsOf(request, called.getMethod());
    if (known == null && !Arrival.isNoted(request)) {
      // Something in front of the method does not let it in.
      return null;
    }
    return lookedUp(
        request,
        response,
        called,
        known == null ? ArgumentRecorder.nothingOf(called.getMethod()) : known,
        failure);
  }

  static boolean isOfSecurity(Throwable failure) {
    return ReturnForm.hasType(
            failure.getClass(), "org.springframework.security.access.AccessDeniedException")
        || ReturnForm.hasType(
            failure.getClass(), "org.springframework.security.core.AuthenticationException");
  }

  /** By what the application says of it, whatever it has thrown. */
  private boolean isRefused(
      HttpServletRequest request,
      HttpServletResponse response,
      HandlerMethod handler,
      Exception failure) {
    if (failure instanceof BindException || Innermost.isOfValidation(failure)) {
      return false;
    }
    CapturedAnswer said = new CapturedAnswer(response);
    errors.render(request, said, handler, failure);
    return REFUSED.contains(said.getStatus());
  }

  private @Nullable ModelAndView lookedUp(
      HttpServletRequest request,
      HttpServletResponse response,
      HandlerMethod handler,
      ArgumentRecorder.Resolved known,
      Exception failure) {
    Object bean = handler.createWithResolvedBean().getBean();
    Object target = AopProxyUtils.getSingletonTarget(bean);
    Method called = handler.getMethod();
    OnceMethod method = methods.of(called, ClassUtils.getUserClass(bean));
    if (!method.isHandler()) {
      return null;
    }
    Ask ask = asking.lookup(method, target == null ? bean : target, known);
    if (ask == null) {
      return null;
    }
    KeptAnswer answer =
        new KeptAnswer(
            new ServletWebRequest(request, response), handler, method, writer.others(), errors);
    Call call = Call.thatOnlyLooks(method, exceptions, answer, failure);
    Ruling ruling = found(homes.of(method), ask, call);
    if (ruling == null
        || ruling instanceof Ruling.DidNotHappen
        || isRefused(request, response, handler, failure)) {
      return null;
    }
    try {
      if (ruling instanceof Ruling.Replied replied) {
        GuardException said = GuardException.of(ask.id(), replied);
        if (replied.reply().kind() == Reply.Kind.BUSINESS_ERROR
            && call.answerBy(said, replied.reply(), true)
            && KeptAnswer.writeErrorOf(request, said)) {
          return new ModelAndView();
        }
      }
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
      // A store of the application's own, which tells by a claim or not at all. One without a
      // fingerprint could keep the key from its owner.
      return ask.fingerprint() == null ? null : home.decide(ask, call);
    }
    if (known instanceof GuardedOutcome.NeverSeen
        || known instanceof GuardedOutcome.NoRecordSince
        || known instanceof GuardedOutcome.DidNotHappen) {
      return null;
    }
    if (known instanceof GuardedOutcome.Unknown unknown) {
      return new Ruling.Unknown(unknown.request().why(), null);
    }
    if (ask.fingerprint() == null) {
      if (known instanceof GuardedOutcome.Executed executed) {
        return new Ruling.Replied(executed.reply(), true);
      }
      if (known instanceof GuardedOutcome.Running) {
        return new Ruling.InProgress(SOON);
      }
    }
    return home.decide(ask, call);
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
    return errors.resolve(request, response, handler, said);
  }
}
