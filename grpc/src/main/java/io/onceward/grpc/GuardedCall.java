package io.onceward.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.Fitting;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One unary call with a key, from its message to its answer. The service is not called before the
 * guard has ruled that this copy is to run, and what it answers is handed out after it was
 * recorded.
 *
 * <p>The service runs in a context of its own that the client's cancellation does not reach: it
 * would stop the effect half-way and lose the record.
 */
final class GuardedCall<Q, R> extends ServerCall.Listener<Q> {
  private static final System.Logger LOG = System.getLogger(GuardedCall.class.getName());

  private final OnceInterceptor interceptor;
  private final ServerCall<Q, R> call;
  private final Metadata headers;
  private final ServerCallHandler<Q, R> next;
  private final KeySource source;
  private final String principal;
  private final Context context = Context.current().fork();
  private final CompletableFuture<Reply> run = new CompletableFuture<>();
  private final HeldCall<Q, R> held;
  private @Nullable Q message;
  private int messages;
  private volatile @Nullable CallEnded ended;
  private volatile ServerCall.@Nullable Listener<Q> service;

  /** The service of a call that passes unguarded, because its message has no key. */
  private ServerCall.@Nullable Listener<Q> passed;

  GuardedCall(
      OnceInterceptor interceptor,
      ServerCall<Q, R> call,
      Metadata headers,
      ServerCallHandler<Q, R> next,
      KeySource source,
      String principal) {
    this.interceptor = interceptor;
    this.call = call;
    this.headers = headers;
    this.next = next;
    this.source = source;
    this.principal = principal;
    held = new HeldCall<>(call, this::answered);
    // The second tells a caller that sends more than one.
    call.request(2);
  }

  @Override
  public void onMessage(Q message) {
    this.message = message;
    messages++;
  }

  @Override
  public void onHalfClose() {
    Q asked = message;
    if (asked == null || messages != 1) {
      call.close(
          Status.INTERNAL.withDescription("a unary call has one message, got " + messages),
          new Metadata());
      return;
    }
    String method = call.getMethodDescriptor().getFullMethodName();
    byte[] content = MessageContent.of(call.getMethodDescriptor(), asked);
    KeySource.Found key;
    try {
      key = source.find(headers, method, asked, content);
    } catch (IllegalArgumentException e) {
      refuse(OnceInterceptor.malformed(source, String.valueOf(e.getMessage())));
      return;
    }
    if (key == null) {
      withoutKey(asked);
    } else {
      decide(ask(method, key, content), asked);
    }
  }

  private void withoutKey(Q asked) {
    if (interceptor.isRequired(call.getMethodDescriptor())) {
      refuse(OnceInterceptor.missing(source));
      return;
    }
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    passed = listener;
    listener.onReady();
    listener.onMessage(asked);
    listener.onHalfClose();
  }

  @Override
  public void onCancel() {
    ServerCall.Listener<Q> listener = passed;
    if (listener != null) {
      listener.onCancel();
    }
  }

  @Override
  public void onComplete() {
    ServerCall.Listener<Q> listener = passed;
    if (listener != null) {
      listener.onComplete();
    }
  }

  @Override
  public void onReady() {
    ServerCall.Listener<Q> listener = passed;
    if (listener != null) {
      listener.onReady();
    }
  }

  private void decide(Ask ask, Q asked) {
    var unused =
        interceptor
            .decide(ask, any -> start(asked))
            .whenComplete(
                (ruling, failure) -> {
                  try {
                    answer(ruling, failure);
                  } catch (RuntimeException e) {
                    // The client is gone. The record is made, and its retry gets the reply.
                    LOG.log(System.Logger.Level.DEBUG, "an answer could not be handed out", e);
                  }
                });
  }

  private Ask ask(String method, KeySource.Found key, byte[] content) {
    String shortName = OnceInterceptor.fitting(method);
    return new Ask(
        new GuardedId(principal, new Scope(shortName), key.key()),
        Fingerprint.of(method, content),
        shortName,
        Fitting.cut(shortName + " key " + key.shown(), Ask.MAX_MEMO_BYTES));
  }

  private CompletionStage<Reply> start(Q asked) {
    context.run(
        () -> {
          try {
            ServerCall.Listener<Q> listener = next.startCall(held, headers);
            service = listener;
            listener.onReady();
            listener.onMessage(asked);
            listener.onHalfClose();
          } catch (RuntimeException e) {
            threw(e);
          } catch (Error e) {
            threw(e);
            throw e;
          }
        });
    return run;
  }

  private void threw(Throwable thrown) {
    LOG.log(System.Logger.Level.ERROR, "the service failed", thrown);
    end(new CallEnded(Meaning.UNKNOWN, "the service threw " + thrown.getClass().getName()));
  }

  /**
   * The service has closed the call. Whatever fails here ends the run: this may be a thread of the
   * service's own, and nobody else would. What cannot be recorded is not handed out.
   */
  private void answered(HeldCall<Q, R> answer) {
    try {
      record(answer);
    } catch (RuntimeException e) {
      notRecorded(e);
    } catch (Error e) {
      notRecorded(e);
      throw e;
    }
  }

  private void notRecorded(Throwable thrown) {
    LOG.log(System.Logger.Level.ERROR, "the service's answer cannot be remembered", thrown);
    run.completeExceptionally(
        new CallEnded(
            Meaning.UNKNOWN,
            "the service answered, but the answer cannot be written: "
                + thrown.getClass().getName()));
  }

  private void record(HeldCall<Q, R> answer) {
    Status status = answer.status();
    Meaning meaning = interceptor.meaningOf(status.getCode());
    if (meaning != Meaning.BUSINESS_ERROR) {
      end(new CallEnded(meaning, "the service answered with status " + status.getCode()));
      return;
    }
    R reply = answer.message();
    Bytes bytes =
        reply == null
            ? null
            : Bytes.of(MessageContent.read(call.getMethodDescriptor().streamResponse(reply)));
    run.complete(
        StoredReply.of(
                status.withCause(null), answer.trailers(), interceptor.storedTrailers(), bytes)
            .toReply());
  }

  private void end(CallEnded how) {
    if (!run.isDone()) {
      ended = how;
      run.completeExceptionally(how);
    }
  }

  private void answer(@Nullable Ruling ruling, @Nullable Throwable failure) {
    CallEnded mine = ended;
    if (ruling == null) {
      LOG.log(System.Logger.Level.ERROR, "the guard failed", failure);
      call.close(Status.INTERNAL.withDescription("the guard failed"), new Metadata());
    } else if (mine != null && mine == cause(ruling)) {
      held.handOut();
    } else if (ruling instanceof Ruling.Replied replied) {
      if (replied.replay()) {
        replay(replied);
      } else {
        held.handOut();
      }
    } else {
      refuse(Answers.of(ruling));
    }
    ServerCall.Listener<Q> listener = service;
    if (listener != null) {
      context.run(listener::onComplete);
    }
  }

  private static @Nullable Throwable cause(Ruling ruling) {
    if (ruling instanceof Ruling.Unknown unknown) {
      return unknown.cause();
    }
    return ruling instanceof Ruling.DidNotHappen not ? not.cause() : null;
  }

  private void replay(Ruling.Replied replied) {
    StoredReply stored = StoredReply.in(replied.reply());
    if (stored == null) {
      refuse(Answers.of(replied));
      return;
    }
    R answer;
    try {
      answer = stored.messageOf(call.getMethodDescriptor());
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "what is remembered is no message of this method", e);
      refuse(Answers.of(replied));
      return;
    }
    if (answer != null) {
      Metadata marked = new Metadata();
      marked.put(Answers.REPLAYED, "true");
      call.sendHeaders(marked);
      call.sendMessage(answer);
    }
    Metadata trailers = stored.trailers();
    trailers.put(Answers.REPLAYED, "true");
    call.close(stored.status(), trailers);
  }

  private void refuse(Answers answer) {
    call.close(answer.status(), answer.trailers());
  }
}
