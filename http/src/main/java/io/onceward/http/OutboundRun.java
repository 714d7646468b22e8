package io.onceward.http;

import io.onceward.Bytes;
import io.onceward.guard.Meaning;
import io.onceward.http.StoredResponse.Header;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One run of an outbound call: sends the request until there is an answer that may be remembered,
 * the time is up, or sending it again would not be safe. It is safe while nothing was sent, and at
 * any time if the other side takes keys (G4). The delay is constant (C1).
 *
 * <p>What always holds: once an attempt may have reached the other side, no later failure makes the
 * run one that did not happen.
 */
final class OutboundRun {
  /**
   * What has to be left for a further attempt. One that is cut off at once would only turn a call
   * that did not happen into one that nobody knows of.
   */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final HttpClient client;
  private final HttpRequest request;
  private final OtherSide otherSide;
  private final StoredHeaders kept;
  private final int maxBodyBytes;
  private final Duration attemptTimeout;
  private final Duration retryEvery;
  private final boolean isRerun;
  private final long endNanos;
  private final CompletableFuture<StoredResponse> result = new CompletableFuture<>();
  private @Nullable OutboundFailure uncertain;
  private volatile boolean stopped;
  private volatile @Nullable CompletableFuture<HttpResponse<byte[]>> underWay;

  /**
   * Prepares it.
   *
   * @param isRerun whether an earlier run of the same call may have arrived, perhaps of another
   *     process
   */
  OutboundRun(
      HttpClient client,
      HttpRequest request,
      OutboundGuard.Terms terms,
      boolean isRerun,
      long endNanos) {
    this.client = client;
    this.request = request;
    this.isRerun = isRerun;
    this.endNanos = endNanos;
    otherSide = terms.otherSide();
    kept = terms.kept();
    maxBodyBytes = terms.maxBodyBytes();
    attemptTimeout = terms.attemptTimeout();
    retryEvery = terms.retryEvery();
  }

  /** Begins. Completed with the answer, or with an {@link OutboundFailure}. */
  CompletableFuture<StoredResponse> begin() {
    attempt();
    return result;
  }

  /** Whatever it throws ends the run: this may be a thread of its own, and nobody sees it there. */
  private void attempt() {
    try {
      long left = Math.min(attemptTimeout.toNanos(), endNanos - System.nanoTime());
      if (stopped) {
        fail(new OutboundFailure(Meaning.DID_NOT_HAPPEN, "nobody waited any more", null, null));
      } else if (left <= 0) {
        fail(new OutboundFailure(Meaning.DID_NOT_HAPPEN, "the time was up", null, null));
      } else {
        attempt(left);
      }
    } catch (Throwable broken) {
      fail(broken);
    }
  }

  private void attempt(long nanos) {
    WatchedBody body = new WatchedBody(request.bodyPublisher().orElseGet(BodyPublishers::noBody));
    CompletableFuture<HttpResponse<byte[]>> answer = send(body);
    underWay = answer;
    var unused =
        answer
            .copy()
            .orTimeout(nanos, TimeUnit.NANOSECONDS)
            .whenComplete(
                (response, failure) -> {
                  try {
                    if (failure == null) {
                      judge(response, body);
                    } else {
                      // Ends the exchange too: a time-out of ours leaves it running otherwise.
                      answer.cancel(true);
                      judge(failure, body.wasAsked());
                    }
                  } catch (Throwable broken) {
                    fail(broken);
                  }
                });
  }

  private CompletableFuture<HttpResponse<byte[]>> send(WatchedBody body) {
    HttpRequest copy =
        HttpRequest.newBuilder(request, (name, value) -> true)
            .method(request.method(), body)
            .build();
    return client.sendAsync(copy, OutboundBody.atMost(maxBodyBytes));
  }

  /** Nobody waits any more: no further attempts. */
  void stop() {
    stopped = true;
    CompletableFuture<HttpResponse<byte[]>> answer = underWay;
    if (answer != null) {
      answer.cancel(true);
    }
  }

  private void judge(HttpResponse<byte[]> answer, WatchedBody body) {
    StoredResponse response = stored(answer);
    boolean repeated = wasRepeated(answer, body);
    Meaning meaning = otherSide.meaningOf(response, uncertain != null || isRerun || repeated);
    if (meaning == Meaning.BUSINESS_ERROR) {
      result.complete(response);
      return;
    }
    if (meaning == Meaning.DID_NOT_HAPPEN && (repeated || cameAfterAnEffect(answer))) {
      meaning = Meaning.UNKNOWN;
    }
    Duration wanted = OtherSide.retryAfter(response);
    again(
        new OutboundFailure(
            meaning, "the other side answered with status " + response.status(), response, null),
        // Who says 401 says it again; who says when to come back may say something else then.
        meaning == Meaning.UNKNOWN || !wanted.isZero(),
        wanted.compareTo(retryEvery) > 0 ? wanted : retryEvery);
  }

  /**
   * Whether the client sent more requests than it got answers, because a connection was closed
   * under one of them: that one may have arrived, and this is the answer to another.
   */
  private static boolean wasRepeated(HttpResponse<?> answer, WatchedBody body) {
    int answers = 0;
    for (HttpResponse<?> each = answer; each != null; ) {
      answers++;
      each = each.previousResponse().orElse(null);
    }
    return body.requests() > answers;
  }

  /** The page that a redirect led to speaks for itself, not for the request that led there. */
  private static boolean cameAfterAnEffect(HttpResponse<?> answer) {
    HttpResponse<?> before = answer.previousResponse().orElse(null);
    while (before != null) {
      if (!OtherSide.wantsAuthentication(before.statusCode())) {
        return true;
      }
      before = before.previousResponse().orElse(null);
    }
    return false;
  }

  private void judge(Throwable failure, boolean mayHaveBeenSent) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Meaning meaning = mayHaveBeenSent ? Meaning.UNKNOWN : OtherSide.meaningOf(cause);
    String why =
        meaning == Meaning.DID_NOT_HAPPEN
            ? "there was no connection: "
            : cause instanceof TimeoutException
                ? "there was no answer in time: "
                : "there was no answer: ";
    again(new OutboundFailure(meaning, why + cause, null, cause), true, retryEvery);
  }

  private void again(OutboundFailure failure, boolean worthIt, Duration delay) {
    if (failure.meaning() == Meaning.UNKNOWN) {
      uncertain = failure;
    }
    boolean safe = failure.meaning() == Meaning.DID_NOT_HAPPEN || otherSide.takesKeys();
    long next = System.nanoTime() + delay.toNanos();
    boolean inTime = next + Math.min(attemptTimeout.toNanos(), SHORTEST.toNanos()) - endNanos <= 0;
    if (safe && worthIt && inTime && !stopped) {
      CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
          .execute(this::attempt);
    } else {
      fail(failure);
    }
  }

  private void fail(Throwable last) {
    OutboundFailure doubt = uncertain;
    if (doubt == null || doubt == last || !(last instanceof OutboundFailure)) {
      result.completeExceptionally(last);
    } else {
      doubt.addSuppressed(last);
      result.completeExceptionally(doubt);
    }
  }

  private StoredResponse stored(HttpResponse<byte[]> response) {
    List<Header> headers = new ArrayList<>();
    for (String name : kept.names()) {
      for (String value : response.headers().allValues(name)) {
        headers.add(new Header(name, value));
      }
    }
    return new StoredResponse(response.statusCode(), headers, Bytes.of(response.body()));
  }
}
