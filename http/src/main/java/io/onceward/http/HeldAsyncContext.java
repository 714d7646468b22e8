package io.onceward.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The application's handle on an asynchronous request. Completing it means that the application is
 * done; the container is told only after the answer was recorded and handed out.
 */
final class HeldAsyncContext implements AsyncContext {
  private final AsyncContext real;
  private final Exchange exchange;
  private final ServletRequest request;
  private final ServletResponse response;

  HeldAsyncContext(
      AsyncContext real, Exchange exchange, ServletRequest request, ServletResponse response) {
    this.real = real;
    this.exchange = exchange;
    this.request = request;
    this.response = response;
  }

  /** The container's. */
  AsyncContext real() {
    return real;
  }

  @Override
  public void complete() {
    exchange.complete(real);
  }

  @Override
  public ServletRequest getRequest() {
    return request;
  }

  @Override
  public ServletResponse getResponse() {
    return response;
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return real.hasOriginalRequestAndResponse();
  }

  @Override
  public void dispatch() {
    exchange.dispatch(real::dispatch);
  }

  @Override
  public void dispatch(String path) {
    exchange.dispatch(() -> real.dispatch(path));
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    exchange.dispatch(() -> real.dispatch(context, path));
  }

  @Override
  public void start(Runnable task) {
    if (exchange.isLeft()) {
      // The container runs nothing more for a request that it has ended.
      ForkJoinPool.commonPool().execute(task);
    } else {
      real.start(task);
    }
  }

  @Override
  public void addListener(AsyncListener listener) {
    real.addListener(new Listener(listener));
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest request, ServletResponse response) {
    real.addListener(new Listener(listener), request, response);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return real.createListener(type);
  }

  @Override
  public void setTimeout(long millis) {
    real.setTimeout(millis);
  }

  @Override
  public long getTimeout() {
    return real.getTimeout();
  }

  /** Tells a listener of the application about this context, not about the container's. */
  private final class Listener implements AsyncListener {
    private final AsyncListener listener;

    Listener(AsyncListener listener) {
      this.listener = listener;
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
      listener.onComplete(ours(event));
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      exchange.callback(() -> listener.onTimeout(ours(event)));
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
      // A client that left is no error of the request, and what is said to it no answer.
      if (!exchange.isLeft()) {
        exchange.callback(() -> listener.onError(ours(event)));
      }
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
      listener.onStartAsync(ours(event));
    }

    private AsyncEvent ours(AsyncEvent event) {
      @Nullable ServletRequest request = event.getSuppliedRequest();
      @Nullable ServletResponse response = event.getSuppliedResponse();
      return new AsyncEvent(HeldAsyncContext.this, request, response, event.getThrowable());
    }
  }
}
