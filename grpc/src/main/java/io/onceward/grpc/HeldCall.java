package io.onceward.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call that the service answers. Nothing of the answer reaches the client before it is
 * recorded. To the service the client is always there: one that went away must not stop it
 * half-way.
 */
final class HeldCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private final Consumer<HeldCall<Q, R>> closed;
  private @Nullable Metadata headers;
  private @Nullable R message;
  private int messages;
  private Status status = Status.UNKNOWN;
  private Metadata trailers = new Metadata();
  private boolean isClosed;

  HeldCall(ServerCall<Q, R> call, Consumer<HeldCall<Q, R>> closed) {
    super(call);
    this.closed = closed;
  }

  /** The one message was asked for before the service was called. */
  @Override
  public void request(int messages) {}

  @Override
  public void sendHeaders(Metadata headers) {
    this.headers = headers;
  }

  @Override
  public void sendMessage(R message) {
    this.message = message;
    messages++;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (isClosed) {
      throw new IllegalStateException("the call is closed already");
    }
    isClosed = true;
    boolean sound = !status.isOk() || messages == 1;
    this.status =
        sound
            ? status
            : Status.INTERNAL.withDescription(
                "a unary call is answered by one message, not by " + messages);
    this.trailers = trailers;
    closed.accept(this);
  }

  Status status() {
    return status;
  }

  Metadata trailers() {
    return trailers;
  }

  /** The message of a call that succeeded. */
  @Nullable R message() {
    return status.isOk() ? message : null;
  }

  /** Gives the client what was held back. */
  void handOut() {
    R answer = message();
    if (answer != null) {
      delegate().sendHeaders(headers != null ? headers : new Metadata());
      delegate().sendMessage(answer);
    }
    delegate().close(status, trailers);
  }
}
