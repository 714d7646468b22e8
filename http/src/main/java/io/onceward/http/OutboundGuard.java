package io.onceward.http;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.BusinessErrorException;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Codec;
import io.onceward.guard.Decided;
import io.onceward.guard.Fitting;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardListener;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Once;
import io.onceward.guard.Probe;
import io.onceward.guard.Run;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call to somebody else's API happen once, and gives every retry the answer of the first.
 *
 * <pre>{@code
 * OutboundGuard bank =
 *     OutboundGuard.on(client, store).takesKeys(Duration.ofHours(24)).build();
 * OutboundAnswer answer = bank.send(OutboundCall.of(request).key(Key.text("order 4711")));
 * }</pre>
 *
 * <p>Where the other side {@linkplain Builder#takesKeys takes keys}, it is handed one, and a call
 * without an answer is simply sent again with the same key (G4). Where it does not, a call that may
 * have reached it and got no answer is unknown: it is not sent again until a probe or an operator
 * has found out what became of it (G3). In both cases a call that never got a connection did not
 * happen and is tried again until the caller's deadline.
 *
 * <p>An answer is a decision, whatever its status, but for those that say that nothing was decided:
 * see {@link Builder#status}. Without one, the methods throw a {@link
 * io.onceward.guard.GuardException}, which says whether the call took effect; its cause is an
 * {@link OutboundFailure}. Thread-safe.
 */
public final class OutboundGuard implements AutoCloseable {
  private static final int HEADER_ALLOWANCE = 8 << 10;

  private static final Codec<StoredResponse> CODEC =
      Codec.of(
          response -> response.toReply().bytes(),
          bytes -> Objects.requireNonNull(response(bytes), "these bytes are no response"));

  /** What all runs share. */
  record Terms(
      OtherSide otherSide,
      StoredHeaders kept,
      int maxBodyBytes,
      Duration attemptTimeout,
      Duration retryEvery) {}

  private final HttpClient client;
  private final Once<StoredResponse> once;
  private final Terms terms;
  private final int maxRequestBytes;
  private final Duration deadline;
  private final Duration lease;

  private OutboundGuard(Builder builder) {
    client = builder.client;
    maxRequestBytes = builder.maxRequestBytes;
    deadline = builder.deadline;
    lease = builder.lease;
    int maxReplyBytes = Math.addExact(builder.maxResponseBytes, HEADER_ALLOWANCE);
    terms =
        new Terms(
            new OtherSide(builder.keyHeader, builder.quoted, Map.copyOf(builder.statuses)),
            StoredHeaders.byDefault().and(builder.storedHeaders),
            // One more than is kept: so much that the guard sees that it is too large.
            maxReplyBytes + 1,
            builder.attemptTimeout,
            builder.retryEvery);
    Once.Builder<StoredResponse> guard =
        builder
            .once
            .lease(lease)
            .retention(builder.retention)
            .waitAtMost(deadline)
            .maxReplyBytes(maxReplyBytes)
            .classify(
                thrown ->
                    thrown instanceof OutboundFailure failure
                        ? failure.meaning()
                        : Meaning.UNKNOWN);
    if (builder.keyRetention != null) {
      // A re-run that begins just in time must also end in time.
      guard.retryUnknownFor(builder.keyRetention.minus(lease));
    }
    if (builder.probe != null) {
      guard.probe(builder.probe);
    }
    if (builder.listener != null) {
      guard.listener(builder.listener);
    }
    once = guard.build();
  }

  /** On a store, which is not closed with it. */
  public static Builder on(HttpClient client, ClaimStore store) {
    return new Builder(client, Once.on(store, CODEC));
  }

  /** On memory of its own: what was remembered ends with the process. */
  public static Builder inMemory(HttpClient client) {
    return new Builder(client, Once.inMemory(CODEC));
  }

  /**
   * Sends a request that is named by what it says: method, address, media type and body. Two
   * requests that say the same are one.
   */
  public OutboundAnswer send(HttpRequest request) {
    return send(OutboundCall.of(request));
  }

  /**
   * Makes the call, or gives the answer of the call that was first.
   *
   * @throws io.onceward.guard.GuardException if there is no answer to give
   * @throws IllegalArgumentException if the body is over the limit, the deadline not below the
   *     lease, or the request carries a key of its own
   */
  public OutboundAnswer send(OutboundCall call) {
    Prepared prepared = new Prepared(call);
    try {
      return answer(
          once.decide(prepared.ask, run -> await(prepared.run(run)), prepared.timeLeft()));
    } catch (BusinessErrorException e) {
      return told(e);
    }
  }

  /** The same without holding a thread; completed with what {@link #send} would throw. */
  public CompletableFuture<OutboundAnswer> sendAsync(OutboundCall call) {
    Prepared prepared = new Prepared(call);
    return once.decideAsync(prepared.ask, run -> prepared.run(run).begin(), prepared.timeLeft())
        .handle(
            (decided, failure) -> {
              if (failure == null) {
                return answer(decided);
              }
              Throwable cause =
                  failure instanceof CompletionException ? failure.getCause() : failure;
              if (cause instanceof BusinessErrorException e) {
                return told(e);
              }
              throw new CompletionException(cause);
            });
  }

  /** The guard beneath: for the queue of unknown calls and their resolution. */
  public Guard guard() {
    return once.guard();
  }

  @Override
  public void close() {
    once.close();
  }

  private static OutboundAnswer answer(Decided<StoredResponse> decided) {
    return new OutboundAnswer(decided.value(), decided.replay());
  }

  /** What a probe or an operator found, if it was an error: an answer like any other here. */
  private static OutboundAnswer told(BusinessErrorException e) {
    StoredResponse response = response(e.error());
    if (response == null) {
      throw e;
    }
    return new OutboundAnswer(response, e.replay());
  }

  private static @Nullable StoredResponse response(Bytes bytes) {
    return StoredResponse.in(Reply.ok(bytes));
  }

  private static StoredResponse await(OutboundRun run) throws Exception {
    try {
      return run.begin().get();
    } catch (InterruptedException e) {
      run.stop();
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** A call made ready: read, hashed and checked. */
  private final class Prepared {
    private final Ask ask;
    private final HttpRequest request;
    private final byte[] body;
    private final long endNanos;

    Prepared(OutboundCall call) {
      request = call.request();
      Duration wait = call.deadline() != null ? call.deadline() : deadline;
      if (wait.compareTo(lease) >= 0) {
        throw new IllegalArgumentException(
            "the deadline has to be shorter than the lease of " + lease + ", got " + wait);
      }
      endNanos = System.nanoTime() + wait.toNanos();
      String keyHeader = terms.otherSide().keyHeader();
      if (keyHeader != null && request.headers().firstValue(keyHeader).isPresent()) {
        throw new IllegalArgumentException(
            "the request has the header "
                + keyHeader
                + ", which the guard sets; name the key in"
                + " the call instead");
      }
      body = OutboundBody.of(request, maxRequestBytes);
      ask = ask(call);
    }

    private Ask ask(OutboundCall call) {
      URI address = request.uri();
      String type =
          MediaType.parse(request.headers().firstValue("Content-Type").orElse(null)).canonical();
      String line = request.method() + "\n" + address.toASCIIString() + "\n" + type;
      Key key =
          call.key() != null
              ? call.key()
              : Key.contentHash(line.getBytes(StandardCharsets.UTF_8), body);
      String where = address.getScheme() + "://" + address.getRawAuthority();
      String memo =
          call.memo() != null
              ? call.memo()
              : Fitting.cut(
                  request.method() + " " + where + address.getRawPath(), Ask.MAX_MEMO_BYTES);
      return new Ask(
          new GuardedId(call.principal(), new Scope(call.scope()), key),
          Fingerprint.of(line, body),
          Fitting.fit(request.method() + " " + where, Ask.MAX_OPERATION_BYTES),
          memo);
    }

    /** For a twin: what is left until the deadline. */
    Duration timeLeft() {
      return Duration.ofNanos(Math.max(endNanos - System.nanoTime(), 0));
    }

    OutboundRun run(Run run) {
      long leaseEnd = System.nanoTime() + run.timeLeft().toNanos();
      long end = leaseEnd - endNanos < 0 ? leaseEnd : endNanos;
      return new OutboundRun(client, withKey(run), terms, run.earlierMayHaveHappened(), end);
    }

    private HttpRequest withKey(Run run) {
      HttpRequest.Builder copy =
          HttpRequest.newBuilder(request, (name, value) -> true)
              .method(
                  request.method(),
                  request.bodyPublisher().isEmpty()
                      ? BodyPublishers.noBody()
                      : BodyPublishers.ofByteArray(body));
      OtherSide otherSide = terms.otherSide();
      if (otherSide.keyHeader() != null) {
        String key = run.idempotencyKey();
        copy.setHeader(otherSide.keyHeader(), otherSide.quoted() ? "\"" + key + "\"" : key);
      }
      return copy.build();
    }
  }

  /** Sets up an {@link OutboundGuard}. */
  public static final class Builder {
    private final HttpClient client;
    private final Once.Builder<StoredResponse> once;
    private final Map<Integer, Meaning> statuses = new HashMap<>();
    private List<String> storedHeaders = List.of();
    private @Nullable String keyHeader;
    private boolean quoted = true;
    private @Nullable Duration keyRetention;
    private Duration lease = Duration.ofSeconds(60);
    private Duration retention = Duration.ofHours(24);
    private Duration deadline = Duration.ofSeconds(30);
    private Duration attemptTimeout = Duration.ofSeconds(10);
    private Duration retryEvery = Duration.ofMillis(100);
    private int maxRequestBytes = 1 << 20;
    private int maxResponseBytes = 64 << 10;
    private @Nullable Probe probe;
    private @Nullable GuardListener listener;

    private Builder(HttpClient client, Once.Builder<StoredResponse> once) {
      this.client = Objects.requireNonNull(client, "client");
      this.once = once;
    }

    /**
     * The other side takes an {@code Idempotency-Key} and remembers it for at least this long. A
     * call without an answer is sent again with the same key, by this call until its deadline, and
     * by later ones for as long (G4).
     */
    public Builder takesKeys(Duration keyRetention) {
      this.keyRetention = Objects.requireNonNull(keyRetention, "keyRetention");
      if (keyHeader == null) {
        keyHeader = KeyHeader.NAME;
      }
      return this;
    }

    /**
     * How the other side takes keys, if not as the draft of the IETF says.
     *
     * @param name of the header
     * @param quoted whether the key stands in quotes
     */
    public Builder keyHeader(String name, boolean quoted) {
      keyHeader = Objects.requireNonNull(name, "name");
      this.quoted = quoted;
      return this;
    }

    /**
     * What one status means, if not this: 401, 407, 421 and 425 say that nothing happened; 408,
     * 429, 499 and all from 500 on leave it unknown; every other is the answer, and is remembered.
     * Where the other side takes keys, 409 leaves it unknown too if it says when to come back, or
     * if an earlier copy may have arrived: that one may be still at work there. {@link
     * Meaning#BUSINESS_ERROR} remembers it. {@link Meaning#DID_NOT_HAPPEN} is for statuses of which
     * the other side promises that it did nothing, such as a 429 of its rate limiter.
     */
    public Builder status(int status, Meaning meaning) {
      statuses.put(status, Objects.requireNonNull(meaning, "meaning"));
      return this;
    }

    /** How long a run may take before it counts as unknown. Default 60 s. */
    public Builder lease(Duration lease) {
      this.lease = Objects.requireNonNull(lease, "lease");
      return this;
    }

    /** How long an answer is remembered. Default 24 h. */
    public Builder retention(Duration retention) {
      this.retention = Objects.requireNonNull(retention, "retention");
      return this;
    }

    /** How long a caller waits; has to be shorter than the lease. Default 30 s. */
    public Builder deadline(Duration deadline) {
      this.deadline = Objects.requireNonNull(deadline, "deadline");
      return this;
    }

    /** How long one attempt may take, with its whole answer. Default 10 s. */
    public Builder attemptTimeout(Duration attemptTimeout) {
      this.attemptTimeout = Objects.requireNonNull(attemptTimeout, "attemptTimeout");
      return this;
    }

    /** The constant delay between attempts. Default 100 ms. */
    public Builder retryEvery(Duration retryEvery) {
      this.retryEvery = Objects.requireNonNull(retryEvery, "retryEvery");
      return this;
    }

    /** The largest body of a request, which is held in memory to be sent again. Default 1 MiB. */
    public Builder maxRequestBytes(int maxRequestBytes) {
      this.maxRequestBytes = maxRequestBytes;
      return this;
    }

    /**
     * About the largest body of an answer that is kept. Over it, every caller is told that the call
     * took effect and that its answer is not kept (E9). Default 64 KiB.
     */
    public Builder maxResponseBytes(int maxResponseBytes) {
      this.maxResponseBytes = maxResponseBytes;
      return this;
    }

    /** Headers of answers to be kept beside the common ones. */
    public Builder storeHeaders(String... names) {
      storedHeaders = List.of(names);
      return this;
    }

    /** Whom to ask about an unknown call; answers with {@link StoredResponse#toReply}. */
    public Builder probe(Probe probe) {
      this.probe = Objects.requireNonNull(probe, "probe");
      return this;
    }

    /** Hears of every ruling. */
    public Builder listener(GuardListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Checks that the times fit.
     *
     * @throws IllegalArgumentException if the deadline is not shorter than the lease, so that a run
     *     could go on when it counts as unknown already, or if the other side forgets keys sooner
     *     than a run may take
     */
    public OutboundGuard build() {
      if (deadline.compareTo(lease) >= 0) {
        throw new IllegalArgumentException(
            "the deadline has to be shorter than the lease of " + lease + ", got " + deadline);
      }
      if (attemptTimeout.isNegative() || attemptTimeout.isZero()) {
        throw new IllegalArgumentException(
            "attemptTimeout has to be positive, got " + attemptTimeout);
      }
      if (keyHeader != null && keyRetention == null) {
        throw new IllegalArgumentException(
            "say with takesKeys how long the other side remembers keys");
      }
      if (keyRetention != null && keyRetention.compareTo(lease) <= 0) {
        throw new IllegalArgumentException(
            "the other side has to remember keys for longer than the lease of "
                + lease
                + ", got "
                + keyRetention);
      }
      return new OutboundGuard(this);
    }
  }
}
