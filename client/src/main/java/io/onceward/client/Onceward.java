package io.onceward.client;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.DatedIds;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.client.journal.JournalFile;
import io.onceward.client.session.JournalState;
import io.onceward.client.session.Pace;
import io.onceward.client.session.SessionPlan;
import io.onceward.client.transport.GrpcTransport;
import io.onceward.client.transport.HostAndPort;
import io.onceward.client.transport.Transport;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way into a cluster: sessions, keyed requests and questions over one connection to the leader,
 * whoever that is. A process needs one; it may be used by any number of threads.
 *
 * <pre>{@code
 * try (Onceward onceward = Onceward.connect("127.0.0.1:7400");
 *     Session session = onceward.openSession().join()) {
 *   long hits = Counters.in(session).add("hits", 1).join();
 * }
 * }</pre>
 *
 * <p>It has one thread, for the network, and another one while journals are written. Both end with
 * {@link #close}.
 */
public final class Onceward implements AutoCloseable {
  private static final long CLOSE_MILLIS = 1_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Nodes nodes;
  private final Inquiries inquiries;
  private final LiveKeys keys;
  private final JournalThread journals = new JournalThread();
  private final DatedIds ids = new DatedIds();
  private final long patienceMillis;
  private final long jitterMillis;
  private final Set<LiveSession> sessions = ConcurrentHashMap.newKeySet();
  private final Set<LiveDurableSession> durables = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private Onceward(Builder builder, Transport transport) {
    this.patienceMillis = Millis.of(builder.patience);
    this.jitterMillis = builder.jitter ? Millis.of(builder.retryDelay) : 0;
    Pace pace =
        new Pace(
            Millis.of(builder.retryDelay),
            Millis.of(builder.answerTimeout),
            builder.keepAlive == null ? Pace.AS_THE_CLUSTER_WANTS : Millis.of(builder.keepAlive));
    this.nodes =
        new Nodes(builder.addresses, builder.reachedAt, transport, pace, builder.callbacks);
    this.inquiries = new Inquiries(nodes, patienceMillis);
    nodes.add(inquiries);
    this.keys = new LiveKeys(this);
    nodes.start();
  }

  /**
   * Connects to a cluster through some of its nodes. Returns at once; who cannot be reached is
   * noticed by what is asked.
   *
   * @param addresses as {@code host:port}; one is enough, others become known from it
   */
  public static Onceward connect(String... addresses) {
    return builder().addresses(List.of(addresses)).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  // ---- sessions -------------------------------------------------------------------------------

  /** Opens a session of a registered client: ordered, with the default window. */
  public CompletableFuture<Session> openSession() {
    return open(SessionOptions.registered());
  }

  /**
   * Opens a session. The future fails with {@link UnreachableException} if that is not possible in
   * time, with {@link SessionLostException} if somebody else opened the name at the same moment.
   *
   * <p>Cancelling the future, or completing it in another way such as {@code orTimeout}, gives the
   * session up: it is closed as soon as it is open. A caller who just stops waiting, with {@code
   * get(…)}, must cancel.
   */
  public CompletableFuture<Session> open(SessionOptions options) {
    if (closed) {
      return CompletableFuture.failedFuture(new SessionClosedException("the client"));
    }
    SessionPlan plan = plan(options.kind(), options.name(), options.isOrdered(), options.window());
    LiveSession session = new LiveSession(this, plan, null, new JournalState());
    sessions.add(session);
    if (closed) {
      // Closing did not see it any more.
      sessions.remove(session);
      return CompletableFuture.failedFuture(new SessionClosedException("the client"));
    }
    CompletableFuture<Session> result = new CompletableFuture<>();
    var unused =
        result.whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                session.giveUp();
              }
            });
    pass(session.start(), result);
    return result;
  }

  /** Opens a durable name with a journal, ordered, with the default window (C5). */
  public CompletableFuture<DurableSession> openDurable(String name, Path journal) {
    return openDurable(SessionOptions.durable(name), journal);
  }

  /**
   * Opens a durable name with a journal, and goes on where the journal ends: what is undecided is
   * sent again under the same ids.
   *
   * <p>If the session is gone or another process took the name, the future fails with {@link
   * SessionLostException}; nothing is resent. Opening once more, on purpose, begins a new session;
   * what is unknown is handed out by {@link DurableSession#recovered} until it is taken.
   *
   * <p>The future fails with {@link JournalException} if the journal is locked, damaged or of
   * another name. Cancelling it, or completing it in another way, gives up: the journal is released
   * then, and opening it again goes on where this one stopped.
   *
   * @param options those of a durable name; order and window count only when it is opened first
   */
  public CompletableFuture<DurableSession> openDurable(SessionOptions options, Path journal) {
    if (options.kind() != ClientKind.DURABLE) {
      throw new IllegalArgumentException("only a durable name has a journal");
    }
    if (closed) {
      return CompletableFuture.failedFuture(new SessionClosedException("the client"));
    }
    SessionPlan plan = plan(options.kind(), options.name(), options.isOrdered(), options.window());
    CompletableFuture<DurableSession> result = new CompletableFuture<>();
    try {
      journals.execute(() -> openDurable(plan, journal, result));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(
          closed ? new SessionClosedException("the client") : new JournalException(journal, e));
    }
    return result;
  }

  /** On the journals' thread. */
  private void openDurable(SessionPlan plan, Path path, CompletableFuture<DurableSession> result) {
    if (result.isDone()) {
      return;
    }
    JournalFile file;
    try {
      file = JournalFile.open(path, plan.name(), journals);
    } catch (IOException | RuntimeException | Error e) {
      result.completeExceptionally(new JournalException(path, e));
      return;
    }
    LiveDurableSession session;
    try {
      session = new LiveDurableSession(this, plan, path, file);
    } catch (RuntimeException | Error e) {
      release(file);
      result.completeExceptionally(new JournalException(path, e));
      return;
    }
    durables.add(session);
    var unused =
        result.whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                session.giveUp();
              }
            });
    if (closed) {
      result.completeExceptionally(new SessionClosedException("the client"));
    } else if (!result.isDone()) {
      pass(session.start(), result);
    }
  }

  private static void release(JournalFile file) {
    try {
      file.close();
    } catch (IOException | RuntimeException e) {
      // The caller hears why it could not be used.
    }
  }

  private static <T> void pass(CompletableFuture<? extends T> from, CompletableFuture<T> to) {
    var unused =
        from.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                to.complete(value);
              } else {
                to.completeExceptionally(Inquiries.cause(failure));
              }
            });
  }

  /** Does something slow where it holds up neither the network nor a caller. */
  void onJournalThread(Runnable task) {
    if (journals.isCurrent()) {
      task.run();
      return;
    }
    try {
      journals.execute(task);
    } catch (RuntimeException | Error e) {
      // No thread is to be had. Better slow than locked for good.
      task.run();
    }
  }

  private static SessionPlan plan(ClientKind kind, String name, boolean ordered, int window) {
    return new SessionPlan(kind, name, ordered, window, RANDOM.nextLong(), RANDOM.nextLong());
  }

  void forget(LiveSession session) {
    sessions.remove(session);
  }

  void forget(LiveDurableSession session) {
    durables.remove(session);
  }

  // ---- requests without a session -------------------------------------------------------------

  /** Requests by key, in no scope. */
  public Keyed keyed() {
    return keyed(Scope.NONE);
  }

  /** Requests by key, in a scope. */
  public Keyed keyed(Scope scope) {
    return new Keyed(this, keys, ids, scope, true);
  }

  /**
   * The memory of guards in this cluster, for effects outside of it: processes that name the same
   * store share it. Close it before this client; {@link ClusterStore#on} has more settings.
   */
  public ClusterStore claims(String store) {
    return ClusterStore.on(this).name(store).open();
  }

  /** Asks a service without changing anything. Linearizable, not remembered. */
  public CompletableFuture<Reply> query(String service, Bytes question) {
    return inquiries.query(ServiceDirectory.address(service, question));
  }

  /**
   * A command without an id, for commands that may well happen twice. It is never sent again once a
   * node may have logged it (E10): if its answer gets lost, the future fails with {@link
   * OutcomeUnknownException} and nobody can find out.
   */
  public CompletableFuture<Reply> unkeyed(String service, Bytes command) {
    Request request = new Request.Unkeyed(ServiceDirectory.address(service, command));
    return inquiries
        .askOnce(Inquiries.logged(request))
        .thenApply(Inquiries.decision())
        .thenApply(
            decision -> {
              if (decision instanceof Decision.Replied replied) {
                return Replies.kept(replied.reply());
              }
              throw Call.refused(null, decision);
            });
  }

  /** What became of a request, asked linearizably. Asking decides nothing (O1). */
  public CompletableFuture<Outcome> outcome(RequestId id) {
    return knowing(id).outcome(id);
  }

  /** Closes an id unless it executed; decides (O2). */
  public CompletableFuture<Abandonment> abandon(RequestId id) {
    return knowing(id).abandon(id);
  }

  /** A session here that has asked it may hold a reply that the log has dropped. */
  private Knowing knowing(RequestId id) {
    return Stream.<Knowing>concat(durables.stream(), sessions.stream())
        .filter(each -> each.owns(id))
        .findFirst()
        .orElse(inquiries);
  }

  /** What operators do. */
  public Admin admin() {
    return new Admin(nodes, inquiries);
  }

  /** What this client has sent and lost so far. */
  public Traffic traffic() {
    return new Traffic(
        nodes.copies.sum(),
        nodes.resent.sum(),
        nodes.connectionsLost.get(),
        nodes.leadersFound.get());
  }

  Nodes nodes() {
    return nodes;
  }

  /** Questions to the log alone, whatever sessions know. */
  Inquiries inquiries() {
    return inquiries;
  }

  long patienceMillis() {
    return patienceMillis;
  }

  long jitterMillis() {
    return jitterMillis == 0 ? 0 : ThreadLocalRandom.current().nextLong(jitterMillis);
  }

  /**
   * Ends everything. Nothing is lost silently: what is undecided fails with {@link
   * OutcomeUnknownException}. Sessions in which everything is decided are closed in the log if that
   * is possible within a second; others stay there until they expire, so that the outcome of their
   * requests can still be asked for. Durable names always stay.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<CompletableFuture<Void>> closing = new ArrayList<>();
    for (LiveDurableSession session : durables) {
      session.close();
    }
    for (LiveSession session : sessions) {
      closing.add(session.closeOrLeave());
    }
    closing.add(keys.close());
    awaitAll(closing);
    for (LiveSession session : sessions) {
      session.leave();
    }
    keys.leave();
    inquiries.close();
    nodes.close();
    journals.close();
  }

  private void awaitAll(List<CompletableFuture<Void>> closing) {
    if (nodes.isTransportThread() || !nodes.hasLeader()) {
      return;
    }
    try {
      CompletableFuture.allOf(closing.toArray(new CompletableFuture<?>[0]))
          .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Whatever could not be closed stays in the log until it expires.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How to connect. Each method changes this builder and gives it back. */
  public static final class Builder {
    private final List<String> addresses = new ArrayList<>();
    private Duration retryDelay = Duration.ofMillis(Pace.USUAL.retryDelayMillis());
    private Duration answerTimeout = Duration.ofMillis(Pace.USUAL.answerTimeoutMillis());
    private @Nullable Duration keepAlive;
    private Duration connectTimeout = Duration.ofSeconds(2);
    private Duration patience = Duration.ofSeconds(30);
    private boolean jitter;
    private @Nullable Executor callbacks;
    private UnaryOperator<String> reachedAt = UnaryOperator.identity();

    private Builder() {}

    /** A node, as {@code host:port}. */
    public Builder address(String address) {
      addresses.add(address);
      return this;
    }

    public Builder addresses(List<String> more) {
      addresses.addAll(more);
      return this;
    }

    /**
     * How an address that a node tells, such as that of the leader, is reached from here: through a
     * tunnel, a proxy, another name. Addresses that were given to this builder are used as they
     * are.
     */
    public Builder reachedAt(UnaryOperator<String> translation) {
      reachedAt = translation;
      return this;
    }

    /** How long after a copy was turned away the next one is sent; 100 ms, always the same (C1). */
    public Builder retryDelay(Duration delay) {
      retryDelay = delay;
      return this;
    }

    /** Whether up to once more the retry delay is added at random; off by default. */
    public Builder jitter(boolean wanted) {
      jitter = wanted;
      return this;
    }

    /** How long a node may be silent before the connection to it is replaced; 2 s (C4). */
    public Builder answerTimeout(Duration timeout) {
      answerTimeout = timeout;
      return this;
    }

    public Builder connectTimeout(Duration timeout) {
      connectTimeout = timeout;
      return this;
    }

    /**
     * Lets idle sessions say that they are there more often than the cluster wants (C3). By default
     * they do it as the cluster is set, 10 s, and follow at once when that changes; a longer
     * interval than that has no effect.
     */
    public Builder keepAlive(Duration interval) {
      keepAlive = interval;
      return this;
    }

    /**
     * How long what has no deadline of its own is tried: opening, asking, closing, what
     * administrators do; 30 s. Requests are tried for as long as it takes. A change of members, a
     * transfer and a snapshot must be sent within this time, and may then take two minutes.
     */
    public Builder patience(Duration time) {
      patience = time;
      return this;
    }

    /**
     * Where futures complete; by default on the network's thread, which is fastest, but then
     * nothing that hangs on them may block.
     */
    public Builder completeOn(Executor executor) {
      callbacks = executor;
      return this;
    }

    /**
     * The client.
     *
     * @throws IllegalArgumentException if there is no address, or one has not the form {@code
     *     host:port}
     */
    public Onceward build() {
      addresses.forEach(HostAndPort::parse);
      return build(new GrpcTransport((int) Math.min(Integer.MAX_VALUE, Millis.of(connectTimeout))));
    }

    /** Over another network. */
    Onceward build(Transport transport) {
      try {
        return new Onceward(this, transport);
      } catch (RuntimeException e) {
        transport.close();
        throw e;
      }
    }
  }
}
