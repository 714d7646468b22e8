package io.onceward.http;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.CallerThreads;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import io.onceward.guard.Run;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One request with a key, from the claim to the answer. Its steps: the guard is asked; if this copy
 * is the one to run, the rest of the filter chain runs on the container's thread and writes into a
 * {@link CapturedResponse}; what it wrote is recorded; then, and not before, it is handed out.
 *
 * <p>An application that goes asynchronous ends its run later: by {@link AsyncContext#complete}, in
 * a dispatch, or not at all, when the container gives up. Each of these completes {@link #run}, and
 * only the first counts.
 */
final class Exchange implements AsyncListener {
  private static final System.Logger LOG = System.getLogger(Exchange.class.getName());

  private final Route route;
  private final Guard guard;
  private final CallerThreads threads;
  private final ErrorPages errorPages;
  private final FilterChain chain;
  private final HttpServletResponse real;
  private final BufferedRequest request;
  private final CapturedResponse response;
  private final RequestBody body;

  /** What the application answers; failed with {@link RunEnded} if that is not to be remembered. */
  private final CompletableFuture<Reply> run = new CompletableFuture<>();

  private final CompletableFuture<Ruling> decided = new CompletableFuture<>();

  /** Done when the guard wants this copy to run, but asks from a thread that cannot run it. */
  private final CompletableFuture<Void> turn = new CompletableFuture<>();

  private final Thread containerThread = Thread.currentThread();
  private boolean ran;
  private volatile @Nullable RunEnded ended;
  private volatile @Nullable HeldAsyncContext async;

  /** The container gave up waiting; the run itself may still go on. */
  private volatile boolean givenUp;

  /** The client left, and the container ends the request; the application goes on. */
  private volatile boolean left;

  /** The container has ended the request before the application was through. */
  private volatile boolean over;

  private final HandOver handOver = new HandOver();

  private volatile @Nullable Run running;

  private volatile @Nullable Thread callbackThread;

  Exchange(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      Route route,
      RequestBody body,
      MediaType type,
      Guard guard,
      IdempotencyFilter.Parts parts) {
    this.route = route;
    this.guard = guard;
    this.chain = chain;
    this.body = body;
    real = response;
    threads = parts.threads();
    errorPages = parts.errorPages();
    this.request = new BufferedRequest(request, this, body, type);
    this.response =
        new CapturedResponse(
            response,
            parts.maxResponseBytes(),
            parts.storedHeaders(),
            route.isHandedOutAsWritten(),
            this::later);
  }

  /** The whole of it, on the container's thread. */
  void decide(Ask ask) throws IOException, ServletException {
    CompletableFuture<Ruling> ruling = threads.here(() -> guard.decideAsync(ask, this::start));
    var unused =
        ruling.whenComplete(
            (told, failure) -> {
              if (failure == null) {
                decided.complete(told);
              } else {
                decided.completeExceptionally(failure);
              }
            });
    if (!ran) {
      CompletableFuture.anyOf(decided, turn).exceptionally(any -> null).join();
      if (turn.isDone()) {
        apply();
      }
    }
    if (async == null) {
      answer();
    }
  }

  /** The guard wants this copy to run: at once if this is the container's thread. */
  private CompletionStage<Reply> start(Run mine) {
    running = mine;
    if (threads.isHere() && Thread.currentThread() == containerThread) {
      apply();
    } else {
      turn.complete(null);
    }
    return run;
  }

  private void apply() {
    ran = true;
    proceed(chain, request, response);
  }

  /** Whether the application runs this copy, and has left it to be dispatched again. */
  boolean isSuspended() {
    return ran && async != null && !run.isDone();
  }

  /** Whether this request is one that the application got from here. */
  boolean isBehind(ServletRequest request) {
    ServletRequest inner = request;
    while (inner != this.request && inner instanceof ServletRequestWrapper wrapper) {
      inner = wrapper.getRequest();
    }
    return inner == this.request;
  }

  private boolean isBehind(ServletResponse response) {
    ServletResponse inner = response;
    while (inner != this.response && inner instanceof ServletResponseWrapper wrapper) {
      inner = wrapper.getResponse();
    }
    return inner == this.response;
  }

  RequestBody body() {
    return body;
  }

  /**
   * The application was dispatched to again. On the container's thread. If something in front
   * dispatched, it did so with the container's request and response, which are not the
   * application's.
   */
  void resume(FilterChain chain, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    async = null;
    proceed(
        chain,
        isBehind(request) ? request : this.request,
        isBehind(response) ? response : this.response);
    if (async == null) {
      answer();
    }
  }

  private void proceed(FilterChain chain, ServletRequest request, ServletResponse response) {
    try {
      chain.doFilter(request, response);
    } catch (Throwable thrown) {
      async = null;
      threw(thrown);
      return;
    }
    if (async == null) {
      conclude(true);
    }
  }

  /** The application has answered. */
  private void conclude(boolean onContainerThread) {
    try {
      // Asked once: a container that gives up just now sets a status of its own.
      int status = finish(onContainerThread);
      Meaning meaning = route.meaningOf(status);
      if (meaning == Meaning.BUSINESS_ERROR) {
        run.complete(response.toReply(status));
      } else {
        // A run that timed out may still go on somewhere: nobody can say that it did not happen.
        end(RunEnded.withStatus(status, givenUp ? Meaning.UNKNOWN : meaning));
      }
    } catch (RuntimeException | IOException e) {
      end(RunEnded.withException(e, Meaning.UNKNOWN));
    }
  }

  private int finish(boolean onContainerThread) throws IOException {
    response.finish();
    if (response.error() != 0) {
      errorPages.write(request, response, null, onContainerThread);
    }
    return response.getStatus();
  }

  /** The application has thrown on the container's thread. */
  private void threw(Throwable thrown) {
    Throwable cause =
        thrown instanceof ServletException wrapper && wrapper.getRootCause() != null
            ? wrapper.getRootCause()
            : thrown;
    Meaning meaning = Meaning.UNKNOWN;
    try {
      if (!(cause instanceof Error) && !givenUp) {
        meaning = route.meaningOf(cause);
      }
      if (meaning == Meaning.BUSINESS_ERROR && !response.isHandedOut()) {
        response.failWith(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        errorPages.write(request, response, cause, true);
        run.complete(response.toReply(response.getStatus()));
        return;
      }
    } catch (RuntimeException | IOException e) {
      thrown.addSuppressed(e);
      meaning = Meaning.UNKNOWN;
    }
    end(
        RunEnded.withException(
            thrown, meaning == Meaning.DID_NOT_HAPPEN ? meaning : Meaning.UNKNOWN));
  }

  private void end(RunEnded how) {
    if (!run.isDone()) {
      ended = how;
      run.completeExceptionally(how);
    }
  }

  /** Waits for the record, then hands out what was ruled. */
  private void answer() throws IOException, ServletException {
    Ruling ruling;
    try {
      ruling = decided.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new ServletException("the guard failed", e.getCause());
    }
    if (handOver.begin()) {
      try {
        answer(ruling);
      } finally {
        handOver.end();
      }
    }
  }

  private void answer(Ruling ruling) throws IOException, ServletException {
    RunEnded mine = ended;
    if (mine != null && mine == cause(ruling)) {
      if (mine.thrown() != null) {
        rethrow(mine.thrown());
      }
      response.handOut();
    } else if (ruling instanceof Ruling.Replied replied && !replied.replay()) {
      response.handOut();
    } else if (!ran) {
      Answers.write(real, ruling, route.mismatchStatus());
    } else if (!response.isHandedOut()) {
      response.discard();
      Answers.write(real, ruling, route.mismatchStatus());
    }
  }

  private static @Nullable Throwable cause(Ruling ruling) {
    if (ruling instanceof Ruling.Unknown unknown) {
      return unknown.cause();
    }
    return ruling instanceof Ruling.DidNotHappen not ? not.cause() : null;
  }

  private static void rethrow(Throwable thrown) throws IOException, ServletException {
    if (thrown instanceof IOException e) {
      throw e;
    }
    if (thrown instanceof ServletException e) {
      throw e;
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new ServletException(thrown);
  }

  // ---- asynchronous requests

  CapturedResponse response() {
    return response;
  }

  AsyncContext began(AsyncContext context, ServletRequest request, ServletResponse response) {
    context.addListener(this);
    HeldAsyncContext held = new HeldAsyncContext(context, this, request, response);
    async = held;
    return held;
  }

  AsyncContext asyncContext(AsyncContext context) {
    HeldAsyncContext held = async;
    return held != null
        ? held
        : new HeldAsyncContext(context, this, context.getRequest(), context.getResponse());
  }

  /** Whether the client is gone, and the container about to end the request, or through with it. */
  boolean isLeft() {
    return left;
  }

  /** The application wants to go on in a dispatch, which is not possible any more at the end. */
  void dispatch(Runnable dispatch) {
    if (over) {
      cannotDispatch();
      throw new IllegalStateException("the container has ended this request already");
    }
    if (run.isDone()) {
      throw new IllegalStateException("the application has completed this request already");
    }
    try {
      dispatch.run();
    } catch (RuntimeException e) {
      if (left) {
        cannotDispatch();
      }
      throw e;
    }
  }

  private void cannotDispatch() {
    end(
        RunEnded.unanswered(
            "the client was gone and the request ended by the container when the application"
                + " dispatched it"));
  }

  /** Callbacks of non-blocking reading and writing, on a thread of the container. */
  void later(Runnable callback) {
    HeldAsyncContext held = async;
    if (held == null) {
      throw new IllegalStateException("the request is not asynchronous");
    }
    held.start(callback);
  }

  /**
   * The application has completed; the container is told when the answer is recorded and written.
   */
  void complete(AsyncContext context) {
    if (run.isDone()) {
      if (givenUp && over) {
        late();
      }
      return;
    }
    conclude(false);
    if (Thread.currentThread() == callbackThread) {
      finish(context, decided.exceptionally(any -> null).join());
      return;
    }
    var unused =
        decided.whenComplete(
            (ruling, failure) -> {
              if (handOver.isWithdrawn()) {
                return;
              }
              try {
                // Not here: this may be a thread of the guard, and a slow client would hold it.
                context.start(() -> finish(context, ruling));
              } catch (RuntimeException e) {
                finish(context, ruling);
              }
            });
  }

  /**
   * The application was slower than the container allowed, and its outcome became unknown. What it
   * answers now resolves that (G3).
   */
  private void late() {
    givenUp = false;
    Run mine = running;
    try {
      int status = finish(false);
      if (mine != null && route.meaningOf(status) == Meaning.BUSINESS_ERROR) {
        Reply reply = response.toReply(status);
        threads.execute(() -> guard.resolve(mine.id(), mine.fence(), new Finding.Happened(reply)));
      }
    } catch (RuntimeException | IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a late answer could not be recorded", e);
    }
  }

  /**
   * Tells a listener of the application something. If that makes it complete the request, the
   * container has to know when the listener returns: it would take the time-out for unhandled.
   */
  void callback(Callback callback) throws IOException {
    callbackThread = Thread.currentThread();
    try {
      callback.run();
    } finally {
      callbackThread = null;
    }
  }

  /** What a listener is told. */
  interface Callback {
    void run() throws IOException;
  }

  private void finish(AsyncContext context, @Nullable Ruling ruling) {
    if (!handOver.begin()) {
      // It is recorded. There is nobody to answer, and nothing to end.
      return;
    }
    try {
      if (ruling != null) {
        answer(ruling);
      } else {
        real.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      }
    } catch (IOException | ServletException | RuntimeException e) {
      // The client is gone. The record is made, and its retry gets the answer.
    } finally {
      if (handOver.written()) {
        end(context);
      }
      handOver.end();
    }
  }

  /**
   * A container may be ending the request by itself, because the client is gone or the time is up,
   * and then refuses this. It must not hear of that: it would take the refusal for an error of
   * whatever request it serves by now.
   */
  private static void end(AsyncContext context) {
    try {
      context.complete();
    } catch (IllegalStateException e) {
      LOG.log(System.Logger.Level.DEBUG, "the container has ended the request already", e);
    }
  }

  /** The container is about to end the request, which the application is through with. */
  private void cutOff() {
    if (handOver.isOutOrWithdrawn()) {
      HeldAsyncContext held = async;
      if (held != null) {
        // While it ends a request, a container takes this from its own thread only.
        end(held.real());
      }
    } else {
      response.endedByContainer();
    }
  }

  /** What the listeners of the application make of it counts; they come after this one. */
  @Override
  public void onTimeout(AsyncEvent event) {
    if (run.isDone()) {
      cutOff();
    } else {
      givenUp = true;
    }
  }

  /**
   * A client that goes away stops nothing (only a stream has to know). The container ends such a
   * request when all listeners were told; what the application does from now on must not reach a
   * response that may be another request's by then.
   */
  @Override
  public void onError(AsyncEvent event) {
    if (run.isDone()) {
      cutOff();
    } else if (event.getThrowable() instanceof IOException && !response.isStream()) {
      left = true;
      cutOff();
    } else {
      givenUp = true;
    }
  }

  /** The container is through with it. If nobody has concluded the run by now, nobody may. */
  @Override
  public void onComplete(AsyncEvent event) {
    if (handOver.withdraw()) {
      response.endedByContainer();
    }
    if (run.isDone()) {
      return;
    }
    over = true;
    if (left) {
      return;
    }
    if (!givenUp) {
      LOG.log(
          System.Logger.Level.ERROR,
          "a dispatch of an asynchronous request passed by IdempotencyFilter, so its answer is lost"
              + " and its outcome unknown; map the filter for ASYNC dispatches too");
    }
    givenUp = true;
    end(RunEnded.unanswered("the asynchronous request ended without an answer"));
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // began() listens to each round anew.
  }
}
