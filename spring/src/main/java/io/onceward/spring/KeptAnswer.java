package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Meaning;
import io.onceward.http.KeyHeader;
import io.onceward.http.Route;
import io.onceward.http.StoredResponse;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Of a handler method, called by Spring MVC: the whole response, byte for byte. It is rendered as
 * soon as the method has returned, by what would render it anyway, and remembered. What goes out is
 * what was remembered, to the first caller as to all others.
 */
final class KeptAnswer implements Keeping {
  private static final String ANSWER = KeptAnswer.class.getName() + ".answer";
  private static final String ERROR = KeptAnswer.class.getName() + ".error";

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final HandlerMethod handler;
  private final HandlerMethodReturnValueHandler renderers;
  private final ErrorAnswers errors;
  private final OnceMethod method;
  private final @Nullable ResponseStatus annotatedStatus;
  private CapturedAnswer captured;

  /** What is remembered of it. The method may leave something behind that writes more. */
  private @Nullable StoredResponse kept;

  private boolean writesItself;
  private boolean isInAsync;

  /** What is bound to the thread from the beginning of the last run to the end of its commit. */
  private @Nullable CapturedAttributes bound;

  /** An answer that is to go out in place of what the method returned. */
  private interface Answer {
    void write() throws IOException;
  }

  /** An answer that is to go out when this has been thrown. */
  private record ErrorAnswer(Throwable thrown, Answer answer) {}

  KeptAnswer(
      ServletWebRequest web,
      HandlerMethod handler,
      OnceMethod method,
      HandlerMethodReturnValueHandler renderers,
      ErrorAnswers errors) {
    this.errors = errors;
    this.request = web.getRequest();
    this.response = Objects.requireNonNull(web.getResponse());
    this.handler = handler;
    this.method = method;
    this.renderers = renderers;
    this.annotatedStatus = statusOf(method);
    captured = new CapturedAnswer(response);
  }

  static @Nullable ResponseStatus statusOf(OnceMethod method) {
    ResponseStatus ofMethod =
        AnnotatedElementUtils.findMergedAnnotation(method.method(), ResponseStatus.class);
    return ofMethod != null
        ? ofMethod
        : AnnotatedElementUtils.findMergedAnnotation(method.target(), ResponseStatus.class);
  }

  @Override
  public @Nullable Object[] begin(@Nullable Object[] arguments) {
    end();
    captured = new CapturedAnswer(response);
    writesItself = false;
    isInAsync = request.isAsyncStarted();
    @Nullable Object[] own = arguments.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof ServletResponse) {
        own[i] = captured;
        writesItself = true;
      } else if (own[i] instanceof ServletWebRequest web
          && method.method().getParameterTypes()[i].isAssignableFrom(CapturedWebRequest.class)) {
        own[i] = new CapturedWebRequest(web, captured);
      }
    }
    bound = CapturedAttributes.bind(captured);
    return own;
  }

  @Override
  public void end() {
    if (bound != null) {
      bound.unbind();
      bound = null;
    }
  }

  @Override
  public Reply keep(@Nullable Object value) {
    ReturnForm.refuseIfPassing(value);
    if (value instanceof HttpEntity<?> entity) {
      ReturnForm.refuseIfPassing(entity.getBody());
    }
    if (!isInAsync && request.isAsyncStarted()) {
      // Otherwise the caller waits for the container's time-out.
      request.getAsyncContext().complete();
      throw new IllegalStateException(
          "it has started asynchronous processing, and would answer after it has returned. Answer"
              + " at once, or guard the path by onceward.http.routes.");
    }
    if (annotatedStatus != null) {
      captured.setStatus(annotatedStatus.code().value());
    }
    if (!isWholeWithout(value)) {
      render(value, captured);
    }
    if (captured.isLeftToErrorPage()) {
      throw new IllegalStateException(
          "it leaves the answer to an error page. Throw a business error, or return a"
              + " ResponseEntity.");
    }
    StoredResponse whole = captured.kept();
    kept = whole;
    return captured.isTooLarge() ? Reply.REPLY_TOO_LARGE : Reply.ok(whole.toReply().bytes());
  }

  @Override
  public Meaning meaning() {
    return captured.isTooLarge()
        ? Meaning.BUSINESS_ERROR
        : Route.optional().statuses(method.statuses()).meaningOf(captured.getStatus());
  }

  /** The response that the application makes of it, rendered now: another would differ. */
  @Override
  public @Nullable Bytes keepError(Throwable thrown) {
    return thrown instanceof Exception said
            && errors.render(request, captured, handler.createWithResolvedBean(), said)
            && !captured.isTooLarge()
        ? captured.kept().toReply().bytes()
        : null;
  }

  @Override
  public boolean answerBy(Throwable thrown, Reply reply, boolean replay) {
    StoredResponse remembered = StoredResponse.in(reply);
    if (remembered == null) {
      return false;
    }
    CapturedAnswer first = captured;
    request.setAttribute(
        ERROR,
        new ErrorAnswer(
            thrown,
            replay
                ? () -> CapturedAnswer.replay(remembered, response)
                : () -> first.handOut(remembered)));
    return true;
  }

  /** Writes the answer that goes out when this has been thrown, if there is one. */
  static boolean writeErrorOf(HttpServletRequest request, Throwable thrown) throws IOException {
    if (request.getAttribute(ERROR) instanceof ErrorAnswer error && error.thrown() == thrown) {
      request.removeAttribute(ERROR);
      error.answer().write();
      return true;
    }
    return false;
  }

  /** Whether Spring takes the answer for complete without looking at what was returned. */
  private boolean isWholeWithout(@Nullable Object value) {
    return value == null && (annotatedStatus != null || writesItself || takesTheResponse());
  }

  private boolean takesTheResponse() {
    for (Class<?> type : method.method().getParameterTypes()) {
      if (ServletResponse.class.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }

  private void render(@Nullable Object value, HttpServletResponse into) {
    ModelAndViewContainer container = new ModelAndViewContainer();
    try {
      renderers.handleReturnValue(
          value,
          handler.getReturnValueType(value),
          container,
          new ServletWebRequest(request, into));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof ErrorResponse told) {
        // Of a media type that nobody can write, for example: it is an answer of its own.
        throw new InsteadException(
            new ErrorResponseException(told.getStatusCode(), told.getBody(), e));
      }
      throw new IllegalStateException(e);
    }
    if (!container.isRequestHandled()) {
      throw new IllegalStateException(
          "it names a view, which is rendered later. Guard the path by onceward.http.routes, where"
              + " the response is remembered as it was sent.");
    }
  }

  @Override
  public @Nullable Object handOut(@Nullable Object value) {
    CapturedAnswer first = captured;
    StoredResponse whole = Objects.requireNonNull(kept, "nothing was kept");
    answer(value, () -> first.handOut(whole));
    return value;
  }

  @Override
  public @Nullable Object replay(Reply reply) {
    StoredResponse remembered = StoredResponse.in(reply);
    if (remembered == null) {
      // What a probe or an operator has said, in JSON.
      return method.form().read(reply.bytes().toArray());
    }
    Class<?> type = method.method().getReturnType();
    Object nothing =
        type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
    answer(nothing, () -> CapturedAnswer.replay(remembered, response));
    return nothing;
  }

  /** Renders a replay that a probe or an operator has said, where Spring would not. */
  void writeIfSaid(@Nullable Object value) {
    if (!isWholeWithout(value)) {
      response.setHeader(KeyHeader.REPLAYED, "true");
      render(value, response);
    }
  }

  /** Where Spring asks nobody what to do with what was returned, the answer goes out at once. */
  private void answer(@Nullable Object returned, Answer answer) {
    if (!isWholeWithout(returned)) {
      request.setAttribute(ANSWER, answer);
      return;
    }
    try {
      answer.write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the answer of this request, if there is one. */
  static boolean writeAnswerOf(HttpServletRequest request) throws IOException {
    if (request.getAttribute(ANSWER) instanceof Answer answer) {
      request.removeAttribute(ANSWER);
      answer.write();
      return true;
    }
    return false;
  }
}
