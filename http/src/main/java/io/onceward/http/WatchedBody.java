package io.onceward.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of one attempt, which notices when the client begins to send the request. A client asks
 * for the length before it writes the headers, and does so when it has a connection.
 *
 * <p>An exception does not tell. A client that follows a redirect, answers a demand for a password,
 * or repeats a request because a connection from its pool was closed, may fail to connect after the
 * other side has the request already; and it calls it a connect time-out if the request's own time
 * runs out between two such hops.
 */
final class WatchedBody implements BodyPublisher {
  private final BodyPublisher body;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger subscribed = new AtomicInteger();

  WatchedBody(BodyPublisher body) {
    this.body = body;
  }

  /** Whether something of the request may have been sent. */
  boolean wasAsked() {
    return asked.get() > 0 || subscribed.get() > 0;
  }

  /**
   * How many requests were begun: with a body each reads it once, without one only its length is
   * asked for.
   */
  int requests() {
    return body.contentLength() == 0 ? asked.get() : subscribed.get();
  }

  @Override
  public long contentLength() {
    asked.incrementAndGet();
    return body.contentLength();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscribed.incrementAndGet();
    body.subscribe(subscriber);
  }
}
