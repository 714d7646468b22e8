package io.onceward.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.AsyncEffect;
import io.onceward.guard.CallerThreads;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Fitting;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets a unary call that carries the metadata key {@code idempotency-key} take effect once, and
 * gives every retry the reply of the first: status, message and chosen trailers, marked {@code
 * idempotent-replayed: true}. A call without the key passes untouched.
 *
 * <pre>{@code
 * ServerInterceptors.intercept(service, OnceInterceptor.on(store).build());
 * }</pre>
 *
 * <p>The same key of another principal or method is another request. OK and the statuses of a
 * service's own domain are replies; every other status, and an exception, leaves the outcome
 * unknown unless {@link Builder#status} says otherwise (G2). Streaming methods cannot be replayed;
 * with a key they are refused as {@code UNIMPLEMENTED}. The service must come behind
 * authentication: keys are told apart by {@link Builder#principal}.
 */
public final class OnceInterceptor implements ServerInterceptor, AutoCloseable {
  /** The limit of a scope, a principal and the name of an operation. */
  private static final int MAX_NAME_BYTES = 128;

  private static final Set<Status.Code> REMEMBERED =
      Set.of(
          Status.Code.OK,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.ALREADY_EXISTS,
          Status.Code.PERMISSION_DENIED,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.OUT_OF_RANGE);

  private final Guard guard;
  private final CallerThreads threads;
  private final Map<Status.Code, Meaning> statuses;
  private final Set<String> storedTrailers;
  private final BiFunction<ServerCall<?, ?>, Metadata, @Nullable String> principal;
  private final Predicate<MethodDescriptor<?, ?>> required;
  private final Function<MethodDescriptor<?, ?>, KeySource> keys;

  /** The methods that were called, by the scope of their calls. */
  private final Map<String, MethodDescriptor<?, ?>> seen = new ConcurrentHashMap<>();

  private OnceInterceptor(Builder builder) {
    threads =
        builder.executor == null
            ? CallerThreads.named("onceward-grpc")
            : CallerThreads.orElse(builder.executor);
    statuses = new EnumMap<>(builder.statuses);
    storedTrailers = Set.copyOf(builder.storedTrailers);
    principal = builder.principal;
    required = builder.required;
    keys = builder.keys;
    builder.setUp.accept(builder.guard);
    guard =
        builder
            .guard
            .classify(thrown -> thrown instanceof CallEnded call ? call.meaning() : Meaning.UNKNOWN)
            .checkReply(this::requireReadable)
            .executor(threads)
            .build();
  }

  /**
   * Takes only replies that retries can be given, or nothing: it was executed, and what it answered
   * is not known. Messages are read if a call of their method was seen here.
   */
  private void requireReadable(GuardedId id, Reply reply) {
    if (reply.bytes().length() == 0) {
      return;
    }
    StoredReply stored = StoredReply.in(reply);
    if (stored == null) {
      throw new IllegalArgumentException(
          "no reply, which StoredReply.ok(...) or error(...) makes with toReply(); if it is not"
              + " known, it is empty: "
              + reply);
    }
    MethodDescriptor<?, ?> method = seen.get(id.scope().name());
    if (method != null) {
      try {
        stored.messageOf(method);
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "the reply has no message of " + method.getFullMethodName() + ": " + reply, e);
      }
    }
  }

  /** An interceptor that remembers in a store, which is not closed with it. */
  public static Builder on(ClaimStore store) {
    return new Builder(Guard.on(store));
  }

  /** An interceptor that remembers in this process, until it ends. */
  public static Builder inMemory() {
    return new Builder(Guard.inMemory());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    MethodDescriptor<Q, R> method = call.getMethodDescriptor();
    KeySource source = keys.apply(method);
    Metadata.Key<String> inMetadata = source.metadata();
    if (inMetadata != null && !headers.containsKey(inMetadata)) {
      return required.test(method) ? refuse(call, missing(source)) : next.startCall(call, headers);
    }
    if (method.getType() == MethodDescriptor.MethodType.UNARY) {
      seen.putIfAbsent(fitting(method.getFullMethodName()), method);
    } else {
      if (inMetadata == null) {
        return next.startCall(call, headers);
      }
      Answers answer =
          Answers.badKey(
              "streaming", "only unary calls can be replayed; send this one without a key");
      call.close(
          Status.UNIMPLEMENTED.withDescription(answer.status().getDescription()),
          answer.trailers());
      return new ServerCall.Listener<>() {};
    }
    String fault = inMetadata == null ? null : CallKey.fault(headers, inMetadata);
    if (fault != null) {
      return refuse(call, malformed(source, fault));
    }
    String who = principal.apply(call, headers);
    return new GuardedCall<>(this, call, headers, next, source, who == null ? "" : fitting(who));
  }

  static Answers missing(KeySource source) {
    return Answers.badKey("missing-key", "this method needs " + source.described());
  }

  static Answers malformed(KeySource source, String fault) {
    return Answers.badKey("malformed-key", source.described() + " names no key: " + fault);
  }

  boolean isRequired(MethodDescriptor<?, ?> method) {
    return required.test(method);
  }

  private static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, Answers answer) {
    call.close(answer.status(), answer.trailers());
    return new ServerCall.Listener<>() {};
  }

  CompletableFuture<Ruling> decide(Ask ask, AsyncEffect effect) {
    return threads.here(() -> guard.decideAsync(ask, effect));
  }

  Meaning meaningOf(Status.Code code) {
    Meaning given = statuses.get(code);
    if (given != null) {
      return given;
    }
    if (code == Status.Code.UNAUTHENTICATED) {
      return Meaning.DID_NOT_HAPPEN;
    }
    return REMEMBERED.contains(code) ? Meaning.BUSINESS_ERROR : Meaning.UNKNOWN;
  }

  Set<String> storedTrailers() {
    return storedTrailers;
  }

  static String fitting(String text) {
    return Fitting.fit(text, MAX_NAME_BYTES);
  }

  /** The guard beneath: for the queue of unknown calls and their resolution. */
  public Guard guard() {
    return guard;
  }

  /** Refuses new calls. What is under way is run to its end and recorded. */
  @Override
  public void close() {
    guard.close();
    threads.close();
  }

  /** Sets up an {@link OnceInterceptor}. */
  public static final class Builder {
    private final Guard.Builder guard;
    private final Map<Status.Code, Meaning> statuses = new EnumMap<>(Status.Code.class);
    private final Set<String> storedTrailers = new TreeSet<>(Set.of("grpc-status-details-bin"));
    private Consumer<Guard.Builder> setUp = any -> {};
    private BiFunction<ServerCall<?, ?>, Metadata, @Nullable String> principal =
        (call, headers) -> null;
    private Predicate<MethodDescriptor<?, ?>> required = any -> false;
    private Function<MethodDescriptor<?, ?>, KeySource> keys = any -> KeySource.IDEMPOTENCY_KEY;
    private @Nullable Executor executor;

    private Builder(Guard.Builder guard) {
      this.guard = guard;
    }

    /**
     * Lease, retention, waiting, size of replies, probe and listener, as {@link Guard.Builder}
     * explains them.
     */
    public Builder guard(Consumer<Guard.Builder> setUp) {
      this.setUp = this.setUp.andThen(setUp);
      return this;
    }

    /**
     * Who calls, such as what authentication left in {@link io.grpc.Context#current}; null is
     * nobody. Default: nobody, so that all callers share one space of keys.
     */
    public Builder principal(BiFunction<ServerCall<?, ?>, Metadata, @Nullable String> principal) {
      this.principal = Objects.requireNonNull(principal, "principal");
      return this;
    }

    /**
     * What a status means that the service answered with. {@link Meaning#BUSINESS_ERROR} remembers
     * it, as it is by default with OK, INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS,
     * PERMISSION_DENIED, FAILED_PRECONDITION and OUT_OF_RANGE. {@link Meaning#DID_NOT_HAPPEN} lets
     * a retry run, as by default after UNAUTHENTICATED, and for services that roll back; everything
     * else is unknown.
     */
    public Builder status(Status.Code code, Meaning meaning) {
      if (code == Status.Code.OK) {
        throw new IllegalArgumentException("OK is always remembered");
      }
      statuses.put(code, Objects.requireNonNull(meaning, "meaning"));
      return this;
    }

    /** The methods that refuse calls without a key. Default: none. */
    public Builder required(Predicate<MethodDescriptor<?, ?>> required) {
      this.required = Objects.requireNonNull(required, "required");
      return this;
    }

    /**
     * Where the key of a method's calls is. Default: in the metadata key {@code idempotency-key}.
     * Streaming methods whose key would be in a message pass.
     */
    public Builder keys(Function<MethodDescriptor<?, ?>, KeySource> keys) {
      this.keys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Trailers to be remembered beside {@code grpc-status-details-bin}. Default: no others.
     *
     * @throws IllegalArgumentException for what is no name of a metadata key
     */
    public Builder storeTrailers(String... names) {
      for (String name : List.of(names)) {
        storedTrailers.add(StoredReply.checked(name.toLowerCase(Locale.ROOT)));
      }
      return this;
    }

    /**
     * Where calls go on that had to wait: for a store, or for a run in another process, after which
     * the service itself may run there. Default: eight threads of the interceptor's own.
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    public OnceInterceptor build() {
      return new OnceInterceptor(this);
    }
  }
}
