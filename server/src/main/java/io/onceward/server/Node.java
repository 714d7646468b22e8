package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Service;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.server.engine.Declined;
import io.onceward.server.engine.Engine;
import io.onceward.server.engine.Machine;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Leader, door, replica and engine put together. The engine's thread applies, the gateway's threads
 * ask, an alarm goes off; two locks keep them apart: {@code tables} guards the replica, {@code
 * doorstep} leader and door. A thread that holds the doorstep may take the tables, never the other
 * way round, and no thread calls the engine while holding either.
 */
final class Node implements Machine, Leader.Surroundings, AutoCloseable {
  private static final long LEAST_TABLE_BYTES = 32L << 20;
  private static final int MOST_WAITING_FOR_A_DIGEST = 1_000;
  private static final System.Logger LOG = System.getLogger(Node.class.getName());
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServerSettings settings;
  private final Service service;
  private final long seed = RANDOM.nextLong();
  private final Object tables = new Object();
  private final Object doorstep = new Object();
  private final Leader<Door> leader;
  private final OneAtATime<NodeStatus> digests =
      new OneAtATime<>("onceward-digest", () -> status(true));
  private final Alarm alarm = new Alarm(() -> atTheDoor(() -> {}));
  private final Outbox outbox =
      new Outbox(problem -> failed("a request could not be handed to the log", problem));
  private final ClockReport clockReport = new ClockReport();
  private final Turns turns = new Turns();
  private final List<Conversation> answered = new ArrayList<>();
  private final ReadersInTurn readers = new ReadersInTurn(turns, this::readOn);
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Failure> failure = new CompletableFuture<>();
  private Replica replica;
  private Tables view;
  private int waitingForDigest;

  /** Set before the leader knows, so that no entry is applied unnoticed meanwhile. */
  private volatile boolean leads;

  private volatile @Nullable Engine engine;

  /** Why a node had to stop. */
  record Failure(String what, Throwable cause) {}

  Node(ServerSettings settings, Service service) {
    this.settings = settings;
    this.service = service;
    Door.Seed doorSeed = new Door.Seed(RANDOM.nextLong(), RANDOM.nextLong());
    this.leader =
        new Leader<>(
            this, around -> new Door(around, settings.limits(), doorSeed), quarterOfTheHeap());
    this.replica = quarantined(new Replica(service, seed));
    this.view = Tables.of(replica);
  }

  /**
   * A quarter is for the tables and one for the services. The other half is for requests in flight
   * and for what changes while a snapshot is written, which is then there twice (B5).
   */
  private static long quarterOfTheHeap() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return Math.min(Math.max(quarter, LEAST_TABLE_BYTES), Parameter.MAX_TABLE_BYTES.most());
  }

  void attach(Engine engine) {
    this.engine = engine;
    drain();
  }

  private Replica quarantined(Replica replica) {
    for (ServerSettings.Quarantined place : settings.quarantined()) {
      replica.quarantine(place.position(), place.ordinal());
    }
    return replica;
  }

  /** Completes when this node first knows who leads. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Completes if this node cannot go on. */
  CompletableFuture<Failure> failure() {
    return failure;
  }

  // ---- what the engine drives -----------------------------------------------------------------

  @Override
  public void apply(long position, long term, byte[] entry, @Nullable Object handle) {
    List<Decision> decisions = handle == null ? List.of() : new ArrayList<>();
    applyEntry(
        position,
        term,
        entry,
        handle == null ? null : (ordinal, decision) -> decisions.add(decision));
    if (handle != null || leads) {
      atTheDoor(
          () -> {
            leader.applied(handle, decisions);
            noteReadiness();
          });
    }
  }

  private void applyEntry(
      long position, long term, byte[] entry, Replica.@Nullable Audience audience) {
    synchronized (tables) {
      try {
        replica.apply(position, term, entry, audience);
      } catch (Error error) {
        IllegalStateException stopped =
            new IllegalStateException(
                "request "
                    + position
                    + "/"
                    + replica.ordinal()
                    + " stopped this node with "
                    + error
                    + "; every node that executes it will stop. To have it answered as FAILED instead,"
                    + " start all nodes with --quarantine "
                    + position
                    + "/"
                    + replica.ordinal());
        stopped.addSuppressed(error);
        throw stopped;
      }
    }
  }

  @Override
  public String cluster() {
    synchronized (tables) {
      ClusterId id = replica.clusterId();
      return id.equals(ClusterId.NONE) ? "" : id.toString();
    }
  }

  @Override
  public long position() {
    synchronized (tables) {
      return replica.position();
    }
  }

  @Override
  public Frozen freeze() {
    synchronized (tables) {
      return replica.freeze();
    }
  }

  @Override
  public void restore(InputStream in) throws IOException {
    synchronized (tables) {
      ClusterId own = replica.clusterId();
      // Old and new tables together may be more than the heap; if this fails, the node stops.
      install(new Replica(service, seed));
      Replica restored = quarantined(Replica.restore(service, seed, in));
      if (!restored.belongsTo(own)) {
        throw new IllegalStateException(
            "two clusters are mixed: this node is of cluster "
                + own
                + " and was sent a snapshot of cluster "
                + restored.clusterId());
      }
      install(restored);
    }
  }

  private void install(Replica next) {
    replica = next;
    view = Tables.of(next);
  }

  @Override
  public void leading(long term) {
    leads = true;
    ClusterId clusterIdIfNew = new ClusterId(RANDOM.nextLong(), RANDOM.nextLong());
    atTheDoor(
        () -> {
          leader.leading(clusterIdIfNew);
          noteReadiness();
        });
  }

  private void noteReadiness() {
    if (leader.isOpen()) {
      ready.complete(null);
    }
  }

  @Override
  public void following(@Nullable Member other) {
    leads = false;
    atTheDoor(() -> leader.following(other == null ? "" : other.clientAddress()));
    if (other != null) {
      ready.complete(null);
    }
  }

  @Override
  public void lost(Object handle, String reason) {
    atTheDoor(() -> leader.lost(handle, reason));
  }

  @Override
  public void failed(String what, Throwable cause) {
    leads = false;
    if (failure.complete(new Failure(what, cause))) {
      atTheDoor(() -> leader.following(""));
    }
  }

  @Override
  public void broken(String what, Throwable cause) {
    outbox.add(() -> failed(what, cause));
  }

  // ---- what the leader asks for ---------------------------------------------------------------

  @Override
  public void submit(byte[] entry, Object handle) {
    outbox.add(() -> running().submit(entry, handle));
  }

  @Override
  public void confirm(Door.Reads reads) {
    outbox.add(
        () -> {
          var unused =
              running()
                  .readBarrier()
                  .whenComplete((done, problem) -> atTheDoor(() -> confirmed(reads, problem)));
        });
  }

  private void confirmed(Door.Reads reads, @Nullable Throwable problem) {
    if (problem != null) {
      leader.unconfirmed(reads, Reasons.of(problem));
    } else if (leader.confirmed(reads)) {
      // What is left takes its turn with whatever else came to the door meanwhile.
      turns.execute(() -> atTheDoor(() -> confirmed(reads, null)));
    }
  }

  @Override
  public boolean needsClusterId() {
    return read(Tables::clusterId).equals(ClusterId.NONE);
  }

  @Override
  public <T> T read(Function<Tables, T> reading) {
    synchronized (tables) {
      return reading.apply(view);
    }
  }

  // ---- what the gateway brings ----------------------------------------------------------------

  /** Questions of one message; what they cause leaves together. */
  interface Arrival {
    void askAll(Node node);
  }

  /** What goes wrong with a message is the matter of its connection, which ends. */
  void arrived(Arrival arrival) {
    List<RuntimeException> problems = new ArrayList<>(0);
    atTheDoor(
        () -> {
          try {
            arrival.askAll(this);
          } catch (RuntimeException problem) {
            problems.add(problem);
          }
        });
    for (RuntimeException problem : problems) {
      throw problem;
    }
  }

  /**
   * A client has read, and wants what it had postponed. It takes its turn with whatever else comes
   * to the door; nothing has become wrong meanwhile, since tables only get newer.
   */
  void readsOn(Conversation conversation) {
    readers.add(conversation);
  }

  private void readOn(Conversation conversation) {
    atTheDoor(
        () -> {
          leader.readsOn();
          conversation.readOn(leader);
        });
  }

  /** One question; only within {@link #arrived}. */
  void ask(Conversation conversation, long ticket, Question question) {
    if (question instanceof Question.Status status) {
      askStatus(conversation, ticket, status);
    } else if (question instanceof Question.TakeSnapshot) {
      outbox.add(
          () ->
              answerLater(
                  conversation,
                  ticket,
                  () ->
                      running()
                          .takeSnapshot()
                          .thenApply(position -> obeyed("snapshot at position " + position))));
    } else if (question instanceof Question.TransferLeadership transfer) {
      // A leader learns what a follower has from its answer to an entry; a quiet log may have none.
      leader.door().tick();
      flush();
      manage(
          conversation,
          ticket,
          () ->
              running()
                  .transferLeadership(transfer.member())
                  .thenApply(done -> obeyed("leadership transferred")));
    } else if (question instanceof Question.AddMember add) {
      manage(
          conversation,
          ticket,
          () ->
              running()
                  .addMember(add.member())
                  .thenApply(done -> obeyed(add.member().id() + " is a member")));
    } else if (question instanceof Question.RemoveMember remove) {
      manage(
          conversation,
          ticket,
          () ->
              running()
                  .removeMember(remove.member())
                  .thenApply(done -> obeyed(remove.member() + " is not a member")));
    } else {
      leader.door().ask(conversation, ticket, question);
    }
  }

  private void askStatus(Conversation conversation, long ticket, Question.Status question) {
    if (!question.withDigest()) {
      // The engine is asked too, and the door must not wait for it.
      outbox.add(
          () ->
              answerLater(
                  conversation,
                  ticket,
                  () -> CompletableFuture.completedFuture(new Answer.StatusTold(status(false)))));
    } else if (waitingForDigest >= MOST_WAITING_FOR_A_DIGEST) {
      conversation.answer(ticket, new Answer.Unavailable("too many wait for a digest"));
    } else {
      waitingForDigest++;
      var unused =
          digests
              .ask()
              .whenComplete(
                  (status, problem) ->
                      atTheDoor(
                          () -> {
                            if (problem != null && Reasons.cause(problem) instanceof Error error) {
                              broken("the digest could not be computed", error);
                            }
                            waitingForDigest--;
                            conversation.answer(
                                ticket,
                                problem == null ? new Answer.StatusTold(status) : failed(problem));
                          }));
    }
  }

  private static Answer obeyed(String what) {
    return new Answer.Obeyed(what);
  }

  /** What only a leader can do to its cluster. */
  private void manage(
      Conversation conversation, long ticket, Supplier<CompletableFuture<Answer>> work) {
    if (leader.isOpen()) {
      outbox.add(() -> answerLater(conversation, ticket, work));
    } else {
      conversation.answer(ticket, leader.elsewhere());
    }
  }

  private void answerLater(
      Conversation conversation, long ticket, Supplier<CompletableFuture<Answer>> work) {
    CompletableFuture<Answer> answer;
    try {
      answer = work.get();
    } catch (RuntimeException problem) {
      answer = CompletableFuture.failedFuture(problem);
    }
    var unused =
        answer.whenComplete(
            (told, problem) ->
                atTheDoor(
                    () -> conversation.answer(ticket, problem == null ? told : failed(problem))));
  }

  /** Only what the engine did not begin certainly never happens (O3). */
  private static Answer failed(Throwable problem) {
    return Reasons.cause(problem) instanceof Declined declined
        ? new Answer.Rejected(String.valueOf(declined.getMessage()))
        : new Answer.Unknown(Reasons.of(problem));
  }

  /** The digest, if it is wanted, is of the position that is told with it, and takes no lock. */
  NodeStatus status(boolean withDigest) {
    Engine.Status log = running().status();
    long decided;
    long replays;
    long coalesced;
    synchronized (doorstep) {
      decided = leader.door().decided();
      replays = leader.door().replays();
      coalesced = leader.door().coalesced();
    }
    Supplier<String> digest = () -> "";
    Function<String, NodeStatus> told;
    synchronized (tables) {
      if (withDigest) {
        digest = replica.freezeDigest();
      }
      ClusterId clusterId = replica.clusterId();
      long position = replica.position();
      long timeMillis = replica.timeMillis();
      long clockMillis = System.currentTimeMillis();
      long ageMillis = replica.ageMillis();
      long sessions = replica.sessionCount();
      long keys = replica.keyCount();
      long tableBytes = replica.tableBytes();
      List<String> services = List.copyOf(replica.offeredServices());
      told =
          text ->
              new NodeStatus(
                  settings.self().id(),
                  OncewardServer.VERSION,
                  clusterId,
                  log.role(),
                  log.leader(),
                  log.members(),
                  log.term(),
                  position,
                  log.committed(),
                  log.snapshotPosition(),
                  timeMillis,
                  ageMillis,
                  sessions,
                  keys,
                  tableBytes,
                  text,
                  decided,
                  replays,
                  coalesced,
                  clockMillis,
                  services);
    }
    return told.apply(digest.get());
  }

  /** Who has an answer to send; only while holding the doorstep. */
  void hasAnswers(Conversation conversation) {
    answered.add(conversation);
  }

  /** Does something at the door, then lets out what may leave, then sends what was answered. */
  private void atTheDoor(Runnable event) {
    List<Conversation> sending;
    String clockNews = "";
    synchronized (doorstep) {
      try {
        event.run();
        flush();
        clockNews = clockReport.news(leader.stampAheadMillis());
      } catch (Throwable problem) {
        // What the door holds cannot be trusted any more; another node takes over (E8).
        broken("something went wrong at the door", problem);
      }
      alarm.set(leader.dueMillis());
      sending = answered.isEmpty() ? List.of() : new ArrayList<>(answered);
      answered.clear();
    }
    drain();
    if (!clockNews.isEmpty()) {
      LOG.log(System.Logger.Level.WARNING, clockNews);
    }
    for (Conversation conversation : sending) {
      try {
        conversation.send();
      } catch (RuntimeException | OutOfMemoryError problem) {
        // The others are not to wait for their answers because of it.
        conversation.broken();
      }
    }
  }

  private void flush() {
    leader.flush(System.currentTimeMillis(), alarm.nowMillis());
  }

  /** What was put in before there was an engine waits for it. */
  private void drain() {
    if (engine != null) {
      outbox.drain();
    }
  }

  private Engine running() {
    Engine running = engine;
    if (running == null) {
      throw new Declined("the node is still starting");
    }
    return running;
  }

  @Override
  public void close() {
    alarm.close();
  }
}
