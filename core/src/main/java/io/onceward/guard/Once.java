package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import io.onceward.Scope;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets an effect happen once for each request id, and gives every retry the result of the first.
 *
 * <pre>{@code
 * Once<String> once = Once.inMemory(Codec.text()).build();
 * String receipt = once.execute(GuardedId.of(Key.text("order 4711")), null, () -> charge(order));
 * }</pre>
 *
 * <p>A {@link Guard} with types: results go through a {@link Codec}, rulings without a result
 * become {@link GuardException}s, each of which says whether the request took effect. Business
 * errors that were mapped come back as the exceptions they were. Thread-safe.
 */
public final class Once<T> implements AutoCloseable {
  private final Guard guard;
  private final Codec<T> codec;
  private final BusinessErrors errors;
  private final String operation;

  private Once(Builder<T> builder) {
    Codec<T> reading = builder.codec;
    codec = reading;
    operation = builder.operation;
    errors = new BusinessErrors(builder.errors);
    guard =
        builder
            .guard
            .classify(errors::meaning)
            .businessReply(errors::encode)
            .checkReply((id, reply) -> requireReadable(reading, reply))
            .build();
  }

  /** Taken as it is, a reply in other bytes would fail every retry, and nobody could correct it. */
  private static void requireReadable(Codec<?> codec, Reply reply) {
    if (reply.kind() == Reply.Kind.OK) {
      try {
        codec.decode(reply.bytes());
      } catch (RuntimeException e) {
        throw new IllegalArgumentException("the codec cannot read this reply: " + reply, e);
      }
    }
  }

  /** On memory of its own, which is closed with it: what was remembered ends with the process. */
  public static <T> Builder<T> inMemory(Codec<T> codec) {
    return new Builder<>(Guard.inMemory(), codec);
  }

  /** On a store, which is not closed with it. */
  public static <T> Builder<T> on(ClaimStore store, Codec<T> codec) {
    return new Builder<>(Guard.on(store), codec);
  }

  /**
   * Runs the effect, or gives the result of the run that was first.
   *
   * @param fingerprint of what is asked, to catch an id that is used for something else; null to
   *     not check
   * @throws GuardException if there is no result to give
   * @throws IllegalStateException if it is closed
   */
  public T execute(GuardedId id, @Nullable Fingerprint fingerprint, Callable<T> effect) {
    return decide(new Ask(id, fingerprint, operation), run -> effect.call()).value();
  }

  /**
   * The same with all that can be said and known: a memo for probe and operator, the run's fence
   * and idempotency key, and whether the result is a replay.
   */
  public Decided<T> decide(Ask ask, TypedEffect<T> effect) {
    Result<T> result = new Result<>(codec);
    return answer(ask, guard.decide(ask, run -> result.run(run, effect)), result);
  }

  /** As {@link #decide(Ask, TypedEffect)}, for a caller who waits for other copies no longer. */
  public Decided<T> decide(Ask ask, TypedEffect<T> effect, Duration waitAtMost) {
    Result<T> result = new Result<>(codec);
    return answer(ask, guard.decide(ask, run -> result.run(run, effect), waitAtMost), result);
  }

  /**
   * The same without holding a thread. Who cancels or drops the future gives up the answer, not the
   * request.
   *
   * @return completed with the result, or with what {@link #execute} would throw
   */
  public CompletableFuture<T> executeAsync(
      GuardedId id,
      @Nullable Fingerprint fingerprint,
      Supplier<? extends CompletionStage<T>> effect) {
    return decideAsync(new Ask(id, fingerprint, operation), run -> effect.get())
        .thenApply(Decided::value);
  }

  /** As {@link #decide(Ask, TypedEffect)}, without holding a thread. */
  public CompletableFuture<Decided<T>> decideAsync(
      Ask ask, Function<? super Run, ? extends CompletionStage<T>> effect) {
    Result<T> result = new Result<>(codec);
    return guard
        .decideAsync(ask, run -> effect.apply(run).handle(result::encode))
        .thenApply(ruling -> answer(ask, ruling, result));
  }

  /** As {@link #decide(Ask, TypedEffect, Duration)}, without holding a thread. */
  public CompletableFuture<Decided<T>> decideAsync(
      Ask ask, Function<? super Run, ? extends CompletionStage<T>> effect, Duration waitAtMost) {
    Result<T> result = new Result<>(codec);
    return guard
        .decideAsync(ask, run -> effect.apply(run).handle(result::encode), waitAtMost)
        .thenApply(ruling -> answer(ask, ruling, result));
  }

  /**
   * Whether an exception that {@link #execute} threw is what an earlier copy, or one at the same
   * time, was told, and not the word of this copy's own run.
   */
  public static boolean isReplay(Throwable thrown) {
    if (thrown instanceof BusinessErrorException error) {
      return error.replay();
    }
    for (Throwable each : thrown.getSuppressed()) {
      if (each instanceof ReplayMark) {
        return true;
      }
    }
    return false;
  }

  /** See {@link Guard#outcome}. */
  public GuardedOutcome outcome(GuardedId id) {
    return guard.outcome(id);
  }

  /** See {@link Guard#abandon}. */
  public GuardedAbandonment abandon(GuardedId id) {
    return guard.abandon(id);
  }

  /** See {@link Guard#acknowledge}. */
  public boolean acknowledge(GuardedId id) {
    return guard.acknowledge(id);
  }

  /**
   * The guard beneath: for the queue of unknown requests and their resolution, and to forget what
   * is old.
   */
  public Guard guard() {
    return guard;
  }

  @Override
  public void close() {
    guard.close();
  }

  private Decided<T> answer(Ask ask, Ruling ruling, Result<T> result) {
    GuardedId id = ask.id();
    if (ruling instanceof Ruling.Replied replied) {
      return replied(id, replied, result);
    }
    throw GuardException.of(id, ruling);
  }

  private Decided<T> replied(GuardedId id, Ruling.Replied replied, Result<T> result) {
    Reply reply = replied.reply();
    switch (reply.kind()) {
      case OK -> {
        return new Decided<>(
            replied.replay() ? decoded(id, replied) : result.value(), replied.replay());
      }
      case BUSINESS_ERROR -> throw businessError(id, replied, result);
      case FAILED, REPLY_TOO_LARGE -> throw GuardException.of(id, replied, result.failure());
    }
    throw new IllegalStateException("a reply of no kind: " + reply);
  }

  private T decoded(GuardedId id, Ruling.Replied replied) {
    try {
      return codec.decode(replied.reply().bytes());
    } catch (RuntimeException e) {
      throw GuardException.of(id, replied, e);
    }
  }

  /** The exception itself where it can be thrown, to the first caller and to every later one. */
  private RuntimeException businessError(GuardedId id, Ruling.Replied replied, Result<T> result) {
    Throwable original;
    boolean replay = replied.replay();
    Bytes error = replied.reply().bytes();
    try {
      BusinessErrors.Remembered remembered = errors.decode(error);
      error = remembered.bytes();
      original = replay ? remembered.exception() : result.failure();
    } catch (RuntimeException e) {
      return new BusinessErrorException(id, replied, error, e);
    }
    if (original instanceof RuntimeException unchecked && errors.isMapped(unchecked)) {
      if (replay) {
        unchecked.addSuppressed(new ReplayMark());
      }
      return unchecked;
    }
    return new BusinessErrorException(id, replied, error, original);
  }

  /** What this copy's own run answered, beside the bytes that are remembered of it. */
  private static final class Result<T> {
    private final Codec<T> codec;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Result(Codec<T> codec) {
      this.codec = codec;
    }

    Reply run(Run run, TypedEffect<T> effect) throws Exception {
      try {
        return encoded(effect.run(run));
      } catch (Throwable thrown) {
        failure = thrown;
        throw thrown;
      }
    }

    Reply encode(@Nullable T answer, @Nullable Throwable thrown) {
      if (thrown != null) {
        failure =
            thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
        throw new CompletionException(failure);
      }
      return encoded(answer);
    }

    /**
     * It happened, whatever the codec makes of it: so much is remembered in any case. This copy is
     * handed what all others will be, so that a codec that loses something does so at once.
     */
    private Reply encoded(@Nullable T answer) {
      try {
        Bytes bytes = codec.encode(Objects.requireNonNull(answer, "the effect gave no result"));
        value = Objects.requireNonNull(codec.decode(bytes), "the codec read nothing");
        return Reply.ok(bytes);
      } catch (RuntimeException e) {
        failure = e;
        return Reply.FAILED;
      }
    }

    T value() {
      return Objects.requireNonNull(value);
    }

    @Nullable Throwable failure() {
      return failure;
    }
  }

  /**
   * Marks an exception that was made again from its bytes; has no trace, since it is no failure.
   */
  private static final class ReplayMark extends Throwable {
    private static final long serialVersionUID = 1L;

    ReplayMark() {
      super("this is a replay: what an earlier copy of the request was told", null, false, false);
    }
  }

  /** Sets up a {@link Once}. What it shares with {@link Guard.Builder} is explained there. */
  public static final class Builder<T> {
    private final Guard.Builder guard;
    private final Codec<T> codec;
    private final BusinessErrors errors = new BusinessErrors();
    private String operation = "";

    private Builder(Guard.Builder guard, Codec<T> codec) {
      this.guard = guard;
      this.codec = Objects.requireNonNull(codec, "codec");
    }

    /** The kind of request, for metrics and people. Default: empty. */
    public Builder<T> operation(String operation) {
      Limit.check("the name of an operation", operation, Ask.MAX_OPERATION_BYTES);
      this.operation = operation;
      return this;
    }

    /**
     * Exceptions of this class, and of those below it that are not mapped themselves, are business
     * errors: remembered with these bytes, and made again from them for every retry. Checked ones
     * arrive as the cause of a {@link BusinessErrorException}. The name of the class is remembered
     * too: a class that was renamed comes back as a {@link BusinessErrorException}.
     */
    public <E extends Exception> Builder<T> businessError(
        Class<E> type,
        Function<? super E, Bytes> encode,
        Function<? super Bytes, ? extends E> decode) {
      errors.map(type, encode, decode);
      return this;
    }

    /**
     * Exceptions of these classes mean that nothing happened and nothing still can. A {@link
     * java.net.ConnectException} means it only of a client that follows no redirects and repeats
     * nothing by itself: it may stand for the second of several requests.
     */
    @SafeVarargs
    public final Builder<T> didNotHappen(Class<? extends Throwable>... types) {
      for (Class<? extends Throwable> type : types) {
        errors.means(type, Meaning.DID_NOT_HAPPEN);
      }
      return this;
    }

    /** What exceptions mean that neither of the above names. Default: unknown. */
    public Builder<T> classify(Function<? super Throwable, Meaning> classify) {
      errors.otherwise(Objects.requireNonNull(classify, "classify"));
      return this;
    }

    /** See {@link Guard.Builder#businessReply}; for business errors that have no mapping. */
    public Builder<T> businessReply(Function<? super Throwable, Bytes> businessReply) {
      errors.otherBytes(Objects.requireNonNull(businessReply, "businessReply"));
      return this;
    }

    /** See {@link Guard.Builder#lease}. */
    public Builder<T> lease(Duration lease) {
      guard.lease(lease);
      return this;
    }

    /** See {@link Guard.Builder#retention}. */
    public Builder<T> retention(Duration retention) {
      guard.retention(retention);
      return this;
    }

    /** See {@link Guard.Builder#waitAtMost}. */
    public Builder<T> waitAtMost(Duration waitAtMost) {
      guard.waitAtMost(waitAtMost);
      return this;
    }

    /** See {@link Guard.Builder#pollEvery}. */
    public Builder<T> pollEvery(Duration pollEvery) {
      guard.pollEvery(pollEvery);
      return this;
    }

    /** See {@link Guard.Builder#maxReplyBytes}. */
    public Builder<T> maxReplyBytes(int maxReplyBytes) {
      guard.maxReplyBytes(maxReplyBytes);
      return this;
    }

    /** See {@link Guard.Builder#probe}. */
    public Builder<T> probe(Probe probe) {
      guard.probe(probe);
      return this;
    }

    /** See {@link Guard.Builder#retryUnknownFor}. */
    public Builder<T> retryUnknownFor(Duration retryUnknownFor) {
      guard.retryUnknownFor(retryUnknownFor);
      return this;
    }

    /** See {@link Guard.Builder#datedOnly}. */
    public Builder<T> datedOnly(Predicate<? super Scope> datedOnly) {
      guard.datedOnly(datedOnly);
      return this;
    }

    /** See {@link Guard.Builder#listener}. */
    public Builder<T> listener(GuardListener listener) {
      guard.listener(listener);
      return this;
    }

    /** See {@link Guard.Builder#executor}. */
    public Builder<T> executor(Executor executor) {
      guard.executor(executor);
      return this;
    }

    public Once<T> build() {
      return new Once<>(this);
    }
  }
}
