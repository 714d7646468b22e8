package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Door, replica and engine put together. The engine's thread applies, the gateway's threads ask, a
 * clock ticks; two locks keep them apart: {@code tables} guards the replica, {@code doorstep} the
 * door. Who holds the doorstep may take the tables, never the other way round, and nobody calls the
 * engine while holding either.
 */
final class Node implements Machine, Door.Surroundings {
  /** Gives the cluster its id, with the first entry that is ever logged (S1). */
  private static final Object FORMATION = new Object();

  private static final long MUCH_BYTES = 256L << 10;
  private static final long LEAST_TABLE_BYTES = 32L << 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServerSettings settings;
  private final Service service;
  private final long seed = RANDOM.nextLong();
  private final Object tables = new Object();
  private final Object doorstep = new Object();
  private final Door door;
  private final Outbox outbox =
      new Outbox(problem -> failed("a request could not be handed to the log", problem));
  private final Turns turns = new Turns();
  private final List<Conversation> answered = new ArrayList<>();
  private final ReadersInTurn readers = new ReadersInTurn(turns, this::readOn);
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Failure> failure = new CompletableFuture<>();
  private Replica replica;
  private long servedBytes;
  private volatile boolean leads;
  private volatile @Nullable Engine engine;

  /** Why a node had to stop. */
  record Failure(String what, Throwable cause) {}

  Node(ServerSettings settings, Service service) {
    this.settings = settings;
    this.service = service;
    this.door =
        new Door(this, settings.limits(), new Door.Seed(RANDOM.nextLong(), RANDOM.nextLong()));
    this.replica = quarantined(new Replica(service, seed));
  }

  void attach(Engine engine) {
    this.engine = engine;
    outbox.drain();
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
    if (!(handle instanceof Door.Batch batch)) {
      applyEntry(position, term, entry, null);
      if (handle == FORMATION) {
        openIfLeading();
      }
      return;
    }
    List<Decision> decisions = new ArrayList<>(batch.size());
    applyEntry(position, term, entry, (ordinal, decision) -> decisions.add(decision));
    atTheDoor(
        () -> {
          door.decided(batch, decisions);
          refreshRooms(batch);
        });
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

  private void refreshRooms(Door.Batch batch) {
    for (String principal : batch.principals()) {
      door.room(principal, room(principal));
    }
  }

  @Override
  public Door.Room room(String principal) {
    synchronized (tables) {
      return new Door.Room(
          replica.bytesLeft(principal),
          replica.parameter(Parameter.MAX_REPLY_BYTES),
          replica.parameter(Parameter.MAX_COMMAND_BYTES));
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
      Replica restored = quarantined(Replica.restore(service, seed, in));
      if (!restored.belongsTo(replica.clusterId())) {
        throw new IllegalStateException(
            "two clusters are mixed: this node is of cluster "
                + replica.clusterId()
                + " and was sent a snapshot of cluster "
                + restored.clusterId());
      }
      replica = restored;
    }
  }

  @Override
  public void leading(long term) {
    leads = true;
    openOrForm();
  }

  private void openOrForm() {
    boolean formed;
    synchronized (tables) {
      formed = !replica.clusterId().equals(ClusterId.NONE);
    }
    if (formed) {
      openIfLeading();
    } else {
      form();
    }
  }

  /** The first entry: it names the cluster and fits the tables to the memory of its nodes (T1). */
  private void form() {
    long quarter = quarterOfTheHeap();
    List<LogEntry.Proposal> first =
        List.of(
            proposal(new Request.FormCluster(new ClusterId(RANDOM.nextLong(), RANDOM.nextLong()))),
            proposal(new Request.SetParameter(Parameter.MAX_TABLE_BYTES, quarter)),
            proposal(new Request.SetParameter(Parameter.MAX_PRINCIPAL_BYTES, quarter)),
            proposal(new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, quarter)));
    byte[] entry = new LogEntry(0, System.currentTimeMillis(), first).encode();
    outbox.add(() -> running().submit(entry, FORMATION));
    outbox.drain();
  }

  /**
   * A quarter is for the tables and one for the services. The other half is for requests in flight
   * and for what changes while a snapshot is written, which is then there twice (B5).
   */
  private static long quarterOfTheHeap() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    return Math.min(Math.max(quarter, LEAST_TABLE_BYTES), Parameter.MAX_TABLE_BYTES.most());
  }

  private static LogEntry.Proposal proposal(Request request) {
    return new LogEntry.Proposal(Door.NODE, request);
  }

  /** Another may lead by the time that the entry which formed the cluster is applied here. */
  private void openIfLeading() {
    long tag;
    synchronized (tables) {
      tag = replica.clusterId().tag();
    }
    atTheDoor(
        () -> {
          if (leads) {
            door.open(tag);
            ready.complete(null);
          }
        });
  }

  @Override
  public void following(@Nullable Member leader) {
    leads = false;
    atTheDoor(
        () -> {
          if (!leads) {
            door.shut(leader == null ? "" : leader.clientAddress());
          }
        });
    if (leader != null) {
      ready.complete(null);
    }
  }

  @Override
  public void lost(Object handle, String reason) {
    if (handle instanceof Door.Batch batch) {
      atTheDoor(() -> door.lost(batch, reason));
    } else if (handle == FORMATION) {
      // Whether it was formed after all shows once everything before this is applied.
      var unused = running().readBarrier().thenRun(this::openOrForm);
    }
  }

  @Override
  public void failed(String what, Throwable cause) {
    leads = false;
    atTheDoor(() -> door.shut(""));
    failure.complete(new Failure(what, cause));
  }

  // ---- what the door asks for -----------------------------------------------------------------

  @Override
  public void propose(byte[] entry, Door.Batch batch) {
    outbox.add(() -> running().submit(entry, batch));
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
    if (problem == null) {
      servedBytes = 0;
      if (door.readable(reads)) {
        // What is left takes its turn with whatever else came to the door meanwhile.
        turns.execute(() -> atTheDoor(() -> confirmed(reads, null)));
      }
    } else {
      door.unreadable(reads, Reasons.of(problem));
    }
  }

  @Override
  public void serve(Visitor visitor, long ticket, Question question) {
    if (!visitor.postpones(ticket, question)) {
      lookUp(visitor, ticket, question);
    }
  }

  /** Answers from the tables; only at the door. */
  void lookUp(Visitor visitor, long ticket, Question question) {
    Answer answer;
    synchronized (tables) {
      answer = Reading.answer(replica, visitor.principal(), question);
    }
    visitor.answer(ticket, answer);
    servedBytes += answer instanceof Answer.QueryTold told ? told.reply().bytes().length() : 0;
  }

  @Override
  public boolean servedMuch() {
    return servedBytes > MUCH_BYTES;
  }

  @Override
  public boolean remembers(String principal, Request request) {
    synchronized (tables) {
      return replica.remembers(principal, request);
    }
  }

  @Override
  public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
    List<Key> found = new ArrayList<>();
    synchronized (tables) {
      for (Key key : keys) {
        if (replica.hasReply(principal, scope, key)) {
          found.add(key);
        }
      }
    }
    return found;
  }

  @Override
  public boolean movesWatermark(String principal, Request.Address address, long watermark) {
    synchronized (tables) {
      return replica.movesWatermark(principal, address, watermark);
    }
  }

  // ---- what the gateway brings ----------------------------------------------------------------

  /** Questions of one message; what they cause leaves together. */
  interface Arrival {
    void askAll(Node node);
  }

  void arrived(Arrival arrival) {
    atTheDoor(() -> arrival.askAll(this));
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
          servedBytes = 0;
          conversation.readOn();
        });
  }

  /** One question; only within {@link #arrived}. */
  void ask(Conversation conversation, long ticket, Question question) {
    if (question instanceof Question.Status status) {
      // It may take a while, and the door must not wait for it.
      outbox.add(() -> answerLater(conversation, ticket, () -> told(status)));
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
      door.tick();
      door.flush(System.currentTimeMillis());
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
      door.ask(conversation, ticket, question);
    }
  }

  private static Answer obeyed(String what) {
    return new Answer.Obeyed(what);
  }

  /** What only a leader can do to its cluster. */
  private void manage(
      Conversation conversation, long ticket, Supplier<CompletableFuture<Answer>> work) {
    if (door.isOpen()) {
      outbox.add(() -> answerLater(conversation, ticket, work));
    } else {
      conversation.answer(ticket, door.elsewhere());
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

  private CompletableFuture<Answer> told(Question.Status question) {
    return CompletableFuture.completedFuture(new Answer.StatusTold(status(question.withDigest())));
  }

  NodeStatus status(boolean withDigest) {
    Engine.Status log = running().status();
    long decided;
    long replays;
    long coalesced;
    synchronized (doorstep) {
      decided = door.decided();
      replays = door.replays();
      coalesced = door.coalesced();
    }
    synchronized (tables) {
      return new NodeStatus(
          settings.self().id(),
          OncewardServer.VERSION,
          replica.clusterId(),
          log.role(),
          log.leader(),
          log.members(),
          log.term(),
          replica.position(),
          log.committed(),
          log.snapshotPosition(),
          replica.timeMillis(),
          replica.ageMillis(),
          replica.sessionCount(),
          replica.keyCount(),
          replica.tableBytes(),
          withDigest ? replica.digest() : "",
          decided,
          replays,
          coalesced);
    }
  }

  /**
   * Lets time pass in the log while anything can expire (T3); gives how long to wait for the next.
   */
  long tick() {
    boolean due;
    long waitMillis;
    synchronized (tables) {
      due = replica.anythingCanExpire();
      waitMillis = replica.parameter(Parameter.KEEP_ALIVE_MILLIS);
    }
    atTheDoor(
        () -> {
          if (due || door.keepAlivesWait()) {
            door.tick();
          }
        });
    return waitMillis;
  }

  /** Who has an answer to send; only while holding the doorstep. */
  void hasAnswers(Conversation conversation) {
    answered.add(conversation);
  }

  /** Does something at the door, then lets out what may leave, then sends what was answered. */
  private void atTheDoor(Runnable event) {
    List<Conversation> sending;
    synchronized (doorstep) {
      event.run();
      door.flush(System.currentTimeMillis());
      sending = answered.isEmpty() ? List.of() : new ArrayList<>(answered);
      answered.clear();
    }
    outbox.drain();
    for (Conversation conversation : sending) {
      try {
        conversation.send();
      } catch (RuntimeException | OutOfMemoryError problem) {
        // The others are not to wait for their answers because of it.
        conversation.broken();
      }
    }
  }

  private Engine running() {
    Engine running = engine;
    if (running == null) {
      throw new Declined("the node is still starting");
    }
    return running;
  }
}
