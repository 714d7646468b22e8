package io.onceward.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads bodies whole, up to a limit: of requests, to hash and repeat them; of responses. */
final class OutboundBody {
  private OutboundBody() {}

  /**
   * The body that a request would send.
   *
   * @throws IllegalArgumentException if it is over the limit
   */
  static byte[] of(HttpRequest request, int maxBytes) {
    HttpRequest.BodyPublisher publisher = request.bodyPublisher().orElse(null);
    if (publisher == null || publisher.contentLength() == 0) {
      return new byte[0];
    }
    Collected<ByteBuffer> collected =
        new Collected<>(maxBytes, true) {
          @Override
          public void onNext(ByteBuffer buffer) {
            take(buffer);
          }
        };
    publisher.subscribe(collected);
    try {
      return collected.body.join();
    } catch (CompletionException e) {
      throw new IllegalArgumentException("the body of the request cannot be read", e.getCause());
    }
  }

  /** Keeps no more than so many bytes of a response; what comes after them is only counted off. */
  static BodyHandler<byte[]> atMost(int maxBytes) {
    return info -> new Response(maxBytes);
  }

  private abstract static class Collected<T> implements Flow.Subscriber<T> {
    final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int maxBytes;
    private final boolean strict;
    private Flow.@Nullable Subscription subscription;

    Collected(int maxBytes, boolean strict) {
      this.maxBytes = maxBytes;
      this.strict = strict;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      subscription.request(Long.MAX_VALUE);
    }

    void take(ByteBuffer buffer) {
      int room = maxBytes - bytes.size();
      if (buffer.remaining() > room && strict && !body.isDone()) {
        body.completeExceptionally(
            new IllegalArgumentException("it has more than the " + maxBytes + " bytes allowed"));
        if (subscription != null) {
          subscription.cancel();
        }
      }
      byte[] taken = new byte[Math.min(room, buffer.remaining())];
      buffer.get(taken);
      bytes.writeBytes(taken);
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(bytes.toByteArray());
    }
  }

  private static final class Response extends Collected<List<ByteBuffer>>
      implements BodySubscriber<byte[]> {
    Response(int maxBytes) {
      super(maxBytes, false);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      buffers.forEach(this::take);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }
  }
}
