package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Service;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.server.engine.Declined;
import io.onceward.server.engine.Engine;
import io.onceward.server.engine.Machine;
import io.onceward.wire.Answer;
import io.onceward.wire.Difference;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
  private static final long LONGEST_REST_AFTER_A_DIGEST_MILLIS = 10_000;

  /** It takes hardly any time itself, but may wait for a lock while a long entry is applied. */
  private static final long LONGEST_REST_AFTER_A_STATUS_MILLIS = 100;

  /** Each may hold a channel to another node, or write all tables to disk. */
  static final int MOST_STEPS = 4;

  private static final System.Logger LOG = System.getLogger(Node.class.getName());
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServerSettings settings;
  private final Service service;
  private final long seed = RANDOM.nextLong();
  private final Object tables = new Object();
  private final Object doorstep = new Object();
  private final Leader<Door> leader;
  private final StatusAskers statuses;
  private final StatusAskers digests;
  private final Alarm alarm =
      new Alarm(
          () -> atTheDoor(() -> {}),
          problem -> failed("something went wrong when time had passed", problem));
  private final Outbox outbox =
      new Outbox(problem -> failed("a request could not be handed to the log", problem));
  private final Views views = new Views();
  private final ClockReport clockReport = new ClockReport();
  private final Executor turns;
  private final Executor comparing;
  private final List<Conversation> answered = new ArrayList<>();
  private final ReadersInTurn<Conversation> readers;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Failure> failure = new CompletableFuture<>();
  private final DifferenceFile differenceFile;
  private final QuarantineOrders quarantine;
  private Replica replica;
  private Tables view;
  private @Nullable Difference difference;
  private Timing timing = Timing.INITIAL;
  private int steps;

  /** Why the tables are not whole: nothing of them may be read or saved any more. */
  private @Nullable Throwable damage;

  /** Set before the leader knows, so that no entry is applied unnoticed meanwhile. */
  private volatile boolean leads;

  private volatile @Nullable Engine engine;

  /** Why a node had to stop. */
  record Failure(String what, Throwable cause) {}

  Node(ServerSettings settings, Service service) {
    this(settings, service, new Turns(), Node::startComparing);
  }

  /**
   * A node that has not started.
   *
   * @param turns runs what it is given later, on another thread, in this order
   * @param comparing runs what it is given on another thread
   */
  Node(ServerSettings settings, Service service, Executor turns, Executor comparing) {
    this.settings = settings;
    this.turns = turns;
    this.comparing = comparing;
    this.readers = new ReadersInTurn<>(turns, this::readOn, Conversation::broken);
    this.differenceFile = new DifferenceFile(settings.folder());
    this.service = service;
    Door.Seed doorSeed = new Door.Seed(RANDOM.nextLong(), RANDOM.nextLong());
    this.leader =
        new Leader<>(
            this, around -> new Door(around, settings.limits(), doorSeed), quarterOfTheHeap());
    this.statuses =
        askers("onceward-status", LONGEST_REST_AFTER_A_STATUS_MILLIS, () -> status(false));
    this.digests =
        askers("onceward-digest", LONGEST_REST_AFTER_A_DIGEST_MILLIS, () -> status(true));
    this.quarantine = new QuarantineOrders(settings.quarantined());
    this.replica = quarantine.giveTo(new Replica(service, seed));
    this.view = Tables.of(replica);
    this.difference = differenceFile.read();
    leader.comparisons().remember(difference);
    if (difference != null) {
      LOG.log(System.Logger.Level.ERROR, text(difference));
    }
  }

  /** On the thread that calls this if there is no other; throws if that holds the door. */
  private void laterAtTheDoor(Runnable event) {
    try {
      turns.execute(() -> atTheDoor(event));
    } catch (Throwable noThread) {
      if (Thread.holdsLock(doorstep)) {
        throw noThread;
      }
      atTheDoor(event);
    }
  }

  private StatusAskers askers(String thread, long longestRestMillis, Supplier<NodeStatus> work) {
    return new StatusAskers(
        new OneAtATime<>(thread, longestRestMillis, work),
        this::laterAtTheDoor,
        leader.door().questions(),
        this::statusTold);
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
    compareDigests(position);
    if (handle != null || leads || timingChanged()) {
      atTheDoor(
          () -> {
            leader.applied(handle, decisions);
            noteReadiness();
          });
    }
  }

  /** What the log says about comparing replicas, if the entry that was just applied says so. */
  private void compareDigests(long position) {
    Request.NameDigest named = replica.namedDigest();
    if (named != null) {
      String digest = HexFormat.of().formatHex(named.digest().toArray());
      atTheDoor(() -> leader.comparisons().named(named.position(), digest));
    }
    if (replica.asksForDigest()) {
      // Before the next entry is applied: this is the thread that applies.
      atTheDoor(
          () -> {
            if (leader.comparisons().begin()) {
              computeDigest(position);
            }
          });
    }
  }

  /** At the door. Whatever goes wrong with it is no reason to stop, on all nodes perhaps. */
  private void computeDigest(long position) {
    if (!views.tryTakeForTheLog()) {
      leader.comparisons().failed();
      return;
    }
    try {
      Supplier<String> digest;
      synchronized (tables) {
        digest = replica.freezeDigest();
      }
      comparing.execute(() -> finishDigest(position, digest));
    } catch (Throwable problem) {
      leaveView();
      withoutDigest(position, problem);
    }
  }

  /** The turn that was taken is over. A leader has all nodes compared again if it was left out. */
  private void leaveView() {
    if (views.leave()) {
      try {
        laterAtTheDoor(leader::comparesAgain);
      } catch (Throwable noThread) {
        LOG.log(System.Logger.Level.WARNING, "replicas are not compared: no thread", noThread);
      }
    }
  }

  private void finishDigest(long position, Supplier<String> digest) {
    String computed;
    try {
      computed = digest.get();
    } catch (Throwable problem) {
      leaveView();
      atTheDoor(() -> withoutDigest(position, problem));
      return;
    }
    leaveView();
    atTheDoor(() -> leader.comparisons().computed(position, computed));
  }

  private void withoutDigest(long position, Throwable problem) {
    leader.comparisons().failed();
    LOG.log(
        System.Logger.Level.WARNING,
        "this replica is not compared with the leader's: its digest at position "
            + position
            + " could not be computed",
        problem);
  }

  private static void startComparing(Runnable work) {
    Thread thread = new Thread(work, "onceward-compare");
    thread.setDaemon(true);
    thread.start();
  }

  /** Puts a difference that was just found where an operator looks, also after a restart. */
  private void reportDifference() {
    synchronized (differenceFile) {
      Difference found;
      synchronized (doorstep) {
        found = leader.comparisons().difference();
      }
      if (found != null) {
        LOG.log(System.Logger.Level.ERROR, text(found));
      } else {
        LOG.log(
            System.Logger.Level.WARNING,
            "the alarm about this replica is over: its digest is the leader's again, or its state was"
                + " replaced by the leader's");
      }
      try {
        differenceFile.write(found);
      } catch (IOException | RuntimeException problem) {
        LOG.log(
            System.Logger.Level.WARNING,
            "whether this replica differs from the leader's could not be kept in the data folder",
            problem);
      }
    }
  }

  private static String text(Difference found) {
    return "this replica differs from the leader's: at position "
        + found.position()
        + " its digest is "
        + found.own()
        + ", the leader's is "
        + found.leaders()
        + ". If only this node says so, remove it from the cluster, empty its data folder, and add"
        + " it again with --join; if most nodes say so, do this with the node that led then";
  }

  private boolean timingChanged() {
    synchronized (tables) {
      Timing before = timing;
      timing = view.timing();
      return !timing.equals(before);
    }
  }

  private void applyEntry(
      long position, long term, byte[] entry, Replica.@Nullable Audience audience) {
    synchronized (tables) {
      try {
        replica.apply(position, term, entry, audience);
        warn(quarantine.applied(replica));
      } catch (RuntimeException problem) {
        damage = problem;
        throw problem;
      } catch (Error error) {
        damage = error;
        throw StoppedByError.in(replica, error);
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
  public @Nullable View freeze() {
    if (!views.tryTake()) {
      return null;
    }
    Frozen frozen;
    try {
      synchronized (tables) {
        requireWhole();
        frozen = replica.freeze();
        views.snapshotAt(replica.position());
      }
    } catch (Throwable problem) {
      leaveView();
      throw problem;
    }
    return new Views.OfSnapshot(frozen, this::leaveView, this::snapshotWritten);
  }

  /** On a thread of its own: the engine may wait for the one that writes. */
  private void snapshotWritten() {
    try {
      turns.execute(() -> atTheDoor(leader::snapshotWritten));
    } catch (Throwable problem) {
      // The snapshot is whole all the same.
      LOG.log(
          System.Logger.Level.WARNING,
          "replicas are not compared after this snapshot: no thread",
          problem);
    }
  }

  @Override
  public boolean holdsSnapshotBack() {
    return views.holdsSnapshotBack(position());
  }

  @Override
  public void restore(InputStream in) throws IOException {
    boolean replaces;
    synchronized (tables) {
      // A node that starts reads its own snapshot first: what was found about that still holds.
      replaces = replica.position() > 0;
      ClusterId own = replica.clusterId();
      // Old and new tables together may be more than the heap; if this fails, the node stops, and
      // what waits to be read must not be read from empty tables.
      damage = new IllegalStateException("a snapshot was not restored to its end");
      install(new Replica(service, seed));
      Replica restored = quarantine.giveTo(Replica.restore(service, seed, in));
      if (!restored.belongsTo(own)) {
        throw new IllegalStateException(
            "two clusters are mixed: this node is of cluster "
                + own
                + " and was sent a snapshot of cluster "
                + restored.clusterId());
      }
      install(restored);
      views.snapshotAt(restored.position());
      damage = null;
      warn(quarantine.restored(restored));
    }
    atTheDoor(
        () -> {
          if (replaces) {
            leader.comparisons().replaced();
          }
          leader.applied(null, List.of());
        });
  }

  private static void warn(List<String> news) {
    for (String one : news) {
      LOG.log(System.Logger.Level.WARNING, one);
    }
  }

  private void requireWhole() {
    if (damage != null) {
      throw new Tables.NotWholeException(damage);
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
      requireWhole();
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
  void ask(Visitor visitor, long ticket, Question question) {
    leader.meets(visitor);
    if (question instanceof Question.Status status) {
      askStatus(visitor, ticket, status);
    } else if (question instanceof Question.TakeSnapshot) {
      step(
          visitor,
          ticket,
          question,
          () ->
              running()
                  .takeSnapshot()
                  .thenApply(position -> obeyed("snapshot at position " + position)));
    } else if (question instanceof Question.TransferLeadership transfer) {
      manage(
          visitor,
          ticket,
          transfer,
          () ->
              running()
                  .transferLeadership(transfer.member())
                  .thenApply(done -> obeyed("leadership transferred")));
    } else if (question instanceof Question.AddMember add) {
      manage(
          visitor,
          ticket,
          add,
          () ->
              running()
                  .addMember(add.member())
                  .thenApply(done -> obeyed(add.member().id() + " is a member")));
    } else if (question instanceof Question.RemoveMember remove) {
      manage(
          visitor,
          ticket,
          remove,
          () ->
              running()
                  .removeMember(remove.member())
                  .thenApply(done -> obeyed(remove.member() + " is not a member any more")));
    } else {
      leader.door().ask(visitor, ticket, question);
    }
  }

  /** This one hears nothing any more. */
  void left(Conversation conversation) {
    synchronized (doorstep) {
      leader.leaves(conversation);
    }
  }

  private void askStatus(Visitor visitor, long ticket, Question.Status question) {
    if (engine == null) {
      visitor.answer(ticket, new Answer.Unavailable("the node is still starting"));
    } else {
      (question.withDigest() ? digests : statuses).ask(visitor, ticket, question);
    }
  }

  private Answer statusTold(@Nullable NodeStatus status, @Nullable Throwable problem) {
    if (problem != null && Reasons.cause(problem) instanceof Error error) {
      broken("the status could not be computed", error);
    }
    return status != null
        ? new Answer.StatusTold(status)
        : failed(problem == null ? new IllegalStateException("no status") : problem);
  }

  private static Answer obeyed(String what) {
    return new Answer.Obeyed(what);
  }

  /** What only a leader can do to its cluster. */
  private void manage(
      Visitor visitor, long ticket, Question question, Supplier<CompletableFuture<Answer>> work) {
    if (leader.isOpen()) {
      step(visitor, ticket, question, work);
    } else {
      visitor.answer(ticket, leader.elsewhere());
    }
  }

  /** What the engine works at for a while, of which only a few are under way at a time (L1). */
  private void step(
      Visitor visitor, long ticket, Question question, Supplier<CompletableFuture<Answer>> work) {
    Answer obstacle =
        steps >= MOST_STEPS
            ? new Answer.Unavailable(
                "too many snapshots and changes of members and leaders under way")
            : leader.door().questions().enter(visitor, question);
    if (obstacle != null) {
      visitor.answer(ticket, obstacle);
      return;
    }
    steps++;
    if (question instanceof Question.TransferLeadership) {
      // A leader learns what a follower has from its answer to an entry; a quiet log may have none.
      leader.door().tick();
      flush();
    }
    outbox.add(
        () -> {
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
                          () -> {
                            steps--;
                            leader.door().questions().leaves(visitor, question);
                            visitor.answer(ticket, problem == null ? told : failed(problem));
                          }));
        });
  }

  /** Only what the engine did not begin certainly never happens (O3). */
  private static Answer failed(Throwable problem) {
    return Reasons.cause(problem) instanceof Declined declined
        ? new Answer.Rejected(String.valueOf(declined.getMessage()))
        : new Answer.Unknown(Reasons.of(problem));
  }

  /**
   * The digest, if it is wanted, is of the position that is told with it, and takes no lock; but it
   * waits for its turn to freeze the tables.
   */
  NodeStatus status(boolean withDigest) {
    if (!withDigest) {
      return statusNow(false);
    }
    views.take();
    try {
      return statusNow(true);
    } finally {
      leaveView();
    }
  }

  private NodeStatus statusNow(boolean withDigest) {
    Engine.Status log = running().status();
    long decided;
    long replays;
    long coalesced;
    Difference differs;
    synchronized (doorstep) {
      differs = leader.comparisons().difference();
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
                  services,
                  differs);
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
    boolean differenceNews = false;
    synchronized (doorstep) {
      try {
        event.run();
        statuses.comeBy();
        digests.comeBy();
        flush();
        clockNews = clockReport.news(leads, leader.stampAheadMillis());
        Difference found = leader.comparisons().difference();
        differenceNews = !Objects.equals(found, difference);
        difference = found;
        alarm.set(leader.dueMillis());
      } catch (Throwable problem) {
        // What the door holds cannot be trusted any more; another node takes over (E8).
        broken("something went wrong at the door", problem);
      }
      sending = answered.isEmpty() ? List.of() : new ArrayList<>(answered);
      answered.clear();
    }
    drain();
    if (!clockNews.isEmpty()) {
      LOG.log(System.Logger.Level.WARNING, clockNews);
    }
    if (differenceNews) {
      reportDifference();
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
