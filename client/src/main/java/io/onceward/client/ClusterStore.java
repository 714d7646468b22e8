package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.services.ClaimCommand;
import io.onceward.services.ClaimReply;
import io.onceward.services.ServiceDirectory;
import io.onceward.services.ServiceLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory of guards in a cluster: a fleet of processes shares it, and it outlives all of them.
 *
 * <pre>{@code
 * ClusterStore store = onceward.claims("payments");
 * Once<Receipt> once = Once.on(store, receipts).build();
 * }</pre>
 *
 * <p>Each step is a request of a session, so that a copy of it that was sent again is answered as
 * the first one was: a claim never meets itself as somebody else's. If the answer does not come in
 * time, or the session is lost, the step fails with {@link StoreUnavailableException}. A claim that
 * turns out later to have been taken is given back then, if this process is still there; else it
 * becomes unknown when its lease ends.
 *
 * <p>Time is the log's. Methods block, so they must not be called where this client's futures
 * complete, unless that is an executor ({@link Onceward.Builder#completeOn}).
 */
public final class ClusterStore extends ClaimSteps {
  private final Onceward onceward;
  private final long timeoutMillis;
  private final @Nullable ClaimSweeper sweeper;
  private @Nullable CompletableFuture<Session> opening;
  private boolean closed;

  private ClusterStore(Builder builder) {
    super(builder.name);
    onceward = builder.onceward;
    timeoutMillis = builder.timeout.toMillis();
    sweeper = builder.sweepMillis == 0 ? null : ClaimSweeper.start(this, builder.sweepMillis);
  }

  /** A store in the cluster that this client is connected to; the client is not closed with it. */
  public static Builder on(Onceward onceward) {
    return new Builder(onceward);
  }

  // ---- requests -------------------------------------------------------------------------------

  /** Sends a command until it is answered or time is up. */
  @Override
  ClaimReply submit(ClaimCommand command, @Nullable LongFunction<ClaimCommand> giveBack) {
    long end = end();
    Bytes bytes = ClaimCommand.encode(command);
    CompletableFuture<Session> opened = session();
    Session session = null;
    try {
      session = opened.copy().orTimeout(leftMillis(end), TimeUnit.MILLISECONDS).join();
      Duration left = Duration.ofMillis(leftMillis(end));
      return ClaimReply.decode(session.submit(ServiceDirectory.CLAIMS, bytes, left).join().bytes());
    } catch (CompletionException | OncewardException | DamagedException e) {
      Throwable cause = cause(e);
      if (session == null ? opened.isDone() : isOver(cause)) {
        forget(opened);
      }
      if (session != null && giveBack != null && cause instanceof OutcomeUnknownException unknown) {
        settle(session, unknown.requestId(), giveBack);
      }
      throw unavailable(cause);
    }
  }

  /** Closes an id that nobody waits for any more; what it started meanwhile is given back. */
  private static void settle(
      Session session, Optional<RequestId> id, LongFunction<ClaimCommand> giveBack) {
    if (id.isEmpty()) {
      return;
    }
    var unused =
        session
            .abandon(id.get())
            .thenAccept(
                abandonment -> {
                  if (abandonment instanceof Abandonment.Executed executed
                      && ClaimReply.decode(executed.decided().bytes())
                          instanceof ClaimReply.Started started) {
                    Bytes command = ClaimCommand.encode(giveBack.apply(started.fence()));
                    var unusedAnswer = session.submit(ServiceDirectory.CLAIMS, command);
                  }
                });
  }

  @Override
  ClaimReply query(ClaimCommand question) {
    refuseWhereItWouldWaitForItself();
    try {
      Reply told =
          onceward
              .query(ServiceDirectory.CLAIMS, ClaimCommand.encode(question))
              .orTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
              .join();
      return ClaimReply.decode(Replies.bytes(told, null));
    } catch (CompletionException | OncewardException | DamagedException e) {
      throw unavailable(cause(e));
    }
  }

  private static Throwable cause(RuntimeException e) {
    return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
  }

  private StoreUnavailableException unavailable(Throwable cause) {
    return new StoreUnavailableException(
        cause instanceof TimeoutException
            ? "the cluster did not answer within " + timeoutMillis + " ms"
            : "the claims service did not answer: " + cause.getMessage(),
        cause);
  }

  // ---- the session ----------------------------------------------------------------------------

  private synchronized CompletableFuture<Session> session() {
    refuseWhereItWouldWaitForItself();
    if (closed) {
      throw new StoreUnavailableException("the store is closed", null);
    }
    if (opening == null) {
      opening = onceward.open(SessionOptions.registered().unordered());
    }
    return opening;
  }

  /** Whether nothing more can be asked in the session: after anything but a word on one request. */
  private static boolean isOver(Throwable cause) {
    return cause instanceof SessionLostException
        || cause instanceof SessionClosedException
        || cause instanceof RejectedException;
  }

  /** The next step opens another session. */
  private synchronized void forget(CompletableFuture<Session> over) {
    if (opening == over) {
      opening = null;
    }
    var unused = over.thenAccept(Session::leave);
  }

  private void refuseWhereItWouldWaitForItself() {
    if (onceward.nodes().isTransportThread()) {
      throw new IllegalStateException(
          "a store blocks, and this thread is the one that would bring its answer; give the client"
              + " an executor with completeOn");
    }
  }

  private long end() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
  }

  private static long leftMillis(long end) {
    return Math.max(TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()), 1);
  }

  /** Takes nothing more. Waits for what is under way, for as long as a step may take. */
  @Override
  public void close() {
    CompletableFuture<Session> open;
    synchronized (this) {
      closed = true;
      open = opening;
      opening = null;
    }
    if (sweeper != null) {
      sweeper.stop();
    }
    if (open == null) {
      return;
    }
    CompletableFuture<Void> closing = open.thenCompose(Session::closeAsync);
    if (!onceward.nodes().isTransportThread()) {
      try {
        closing.copy().orTimeout(timeoutMillis, TimeUnit.MILLISECONDS).join();
      } catch (CompletionException e) {
        var unused = open.thenAccept(Session::leave);
      }
    }
  }

  /** Sets up a {@link ClusterStore}. */
  public static final class Builder {
    private final Onceward onceward;
    private String name = "guard";
    private Duration timeout = Duration.ofSeconds(10);
    private long sweepMillis = TimeUnit.MINUTES.toMillis(1);

    private Builder(Onceward onceward) {
      this.onceward = Objects.requireNonNull(onceward, "onceward");
    }

    /**
     * Which store: processes that name the same one share it. 1 to 128 bytes of UTF-8. Default
     * {@code guard}.
     */
    public Builder name(String name) {
      ServiceLimits.checkStoreName(name);
      this.name = name;
      return this;
    }

    /** How long a step may take before it counts as not answered. Default 10 s. */
    public Builder timeout(Duration timeout) {
      if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
        throw new IllegalArgumentException("timeout is at least 1 ms, got " + timeout);
      }
      this.timeout = timeout;
      return this;
    }

    /**
     * How often this process drops what is past its retention; zero leaves that to others. Default
     * one minute. Age, by which retention is counted, grows by at most two minutes from one step to
     * the next, whoever takes it.
     */
    public Builder sweepEvery(Duration interval) {
      if (interval.isNegative()) {
        throw new IllegalArgumentException("the interval is not negative, got " + interval);
      }
      sweepMillis = interval.toMillis();
      return this;
    }

    /** Opens it. The cluster is asked when something is asked of the store. */
    public ClusterStore open() {
      return new ClusterStore(this);
    }
  }
}
