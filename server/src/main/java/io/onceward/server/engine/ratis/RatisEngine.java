package io.onceward.server.engine.ratis;

import io.onceward.server.engine.Engine;
import io.onceward.server.engine.EngineSettings;
import io.onceward.server.engine.Machine;
import io.onceward.wire.Member;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The engine on Apache Ratis. Positions are the indexes of its log; the first one, 0, always holds
 * a configuration, so entries begin at 1. The machine is told everything by one thread at a time:
 * entries by the thread of Ratis that applies, the rest by {@link Notices}, possibly before {@link
 * #start} returns.
 */
public final class RatisEngine implements Engine {
  private static final long CLOSING_MILLIS = 5_000;

  private final EngineSettings settings;
  private final Machine machine;
  private final RaftPeerId self;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Failure failure = new Failure();
  private final ReadBarriers barriers = new ReadBarriers();
  private final Notices notices;
  private final Outstanding outstanding;
  private final Leadership leadership;
  private final EngineStateMachine stateMachine;
  private final RatisServer ratis;
  private final RaftServer.Division division;
  private final Membership membership;
  private final SilentPeers silentPeers;
  private volatile boolean removed;
  private volatile boolean stopped;

  private RatisEngine(EngineSettings settings, Machine machine) throws IOException {
    this.settings = settings;
    this.machine = machine;
    self = Peers.id(settings.self());
    notices = new Notices("onceward-" + settings.self().id() + "-notices", failure);
    outstanding = new Outstanding(machine, notices);
    leadership = new Leadership(machine, notices, barriers);
    stateMachine =
        new EngineStateMachine(
            settings, machine, failure, new Changes(), outstanding, barriers, this::purge);
    ratis = RatisServer.build(settings, stateMachine, barriers, failure);
    division = ratis.division();
    membership =
        new Membership(settings.self(), ratis.server(), division, barriers, client, calls, machine);
    silentPeers = new SilentPeers(settings, ratis.server(), division, barriers);
    barriers.serve(new Reading());
  }

  /**
   * Starts a member. It returns when what is in the folder was read and this node takes part;
   * whether there is a leader shows later.
   *
   * @param introduced gets the engine before the machine is told anything: a node that forms a
   *     cluster alone may lead, and have something to submit, before this method returns
   * @throws IOException if the folder or the port cannot be used, or log or snapshot are damaged
   */
  public static RatisEngine start(
      EngineSettings settings, Machine machine, Consumer<? super Engine> introduced)
      throws IOException {
    RatisEngine engine = new RatisEngine(settings, machine);
    try {
      introduced.accept(engine);
      engine.ratis.start();
      engine.notices.start(engine::look);
      Failure.Reason early = engine.failure.from(engine::stop);
      if (early != null) {
        throw new PlainException(early.what(), early.cause());
      }
      return engine;
    } catch (IOException | RuntimeException | Error problem) {
      engine.close();
      throw problem;
    }
  }

  // ---- what is asked of it --------------------------------------------------------------------

  @Override
  public void submit(byte[] entry, Object handle) {
    Submission submission = new Submission(entry, handle);
    outstanding.add(submission);
    if (entry.length > settings.maxEntryBytes()) {
      outstanding.lose(
          submission,
          "an entry of "
              + entry.length
              + " bytes is over the limit of "
              + settings.maxEntryBytes());
      return;
    }
    if (closed.get() || failure.happened()) {
      outstanding.lose(submission, "this node has stopped");
      return;
    }
    try {
      // Not through the server: it would hop to another thread and wait for it.
      var unused =
          ((RaftClientAsynchronousProtocol) division)
              .submitClientRequestAsync(
                  RaftClientRequest.newBuilder()
                      .setClientId(client)
                      .setServerId(self)
                      .setGroupId(Peers.GROUP)
                      .setCallId(calls.incrementAndGet())
                      .setMessage(submission)
                      .setType(RaftClientRequest.writeRequestType())
                      .build())
              .whenComplete((reply, problem) -> ended(submission, reply, problem));
    } catch (IOException | RuntimeException problem) {
      outstanding.lose(submission, reason(problem));
    }
    if (closed.get() || failure.happened()) {
      // Whoever closed may have looked before this one was added.
      outstanding.lose(submission, "this node has stopped");
    }
  }

  /** An entry that was applied is claimed already; whatever is not claimed here is lost. */
  private void ended(
      Submission submission, @Nullable RaftClientReply reply, @Nullable Throwable problem) {
    Throwable why = problem != null || reply == null ? problem : reply.getException();
    outstanding.lose(submission, why == null ? "it was not applied here" : reason(why));
  }

  private static String reason(Throwable problem) {
    Throwable cause =
        problem instanceof CompletionException && problem.getCause() != null
            ? problem.getCause()
            : problem;
    if (cause instanceof NotLeaderException) {
      return "this node does not lead";
    }
    if (cause instanceof LeaderNotReadyException) {
      return "this node does not lead yet";
    }
    if (cause instanceof LeaderSteppingDownException) {
      return "this node is handing over the leadership";
    }
    return Failure.reason(problem);
  }

  @Override
  public CompletableFuture<Void> readBarrier() {
    return barriers.barrier();
  }

  @Override
  public CompletableFuture<Long> takeSnapshot() {
    return stateMachine.snapshot();
  }

  @Override
  public CompletableFuture<Void> transferLeadership(String member) {
    return membership.transfer(member);
  }

  @Override
  public CompletableFuture<Void> addMember(Member member) {
    return membership.add(member);
  }

  @Override
  public CompletableFuture<Void> removeMember(String id) {
    return membership.remove(id);
  }

  @Override
  public Status status() {
    RaftPeerId leader = division.getInfo().getLeaderId();
    boolean reading = division.getInfo().getLifeCycleState() != LifeCycle.State.RUNNING;
    return new Status(
        reading ? "starting" : role(),
        leader == null ? "" : leader.toString(),
        membership.members(),
        division.getInfo().getCurrentTerm(),
        Math.max(0, division.getRaftLog().getLastCommittedIndex()),
        Math.max(0, stateMachine.folder().latestIndex()));
  }

  private String role() {
    return switch (division.getInfo().getCurrentRole()) {
      case LEADER -> "leader";
      case CANDIDATE -> "candidate";
      case FOLLOWER, LISTENER -> "follower";
      case UNRECOGNIZED -> "starting";
    };
  }

  // ---- what happens to it ---------------------------------------------------------------------

  private final class Changes implements EngineStateMachine.Events {
    @Override
    public void elected(RaftPeerId leader) {
      if (leader.equals(self)) {
        leadership.elected(division.getInfo().getCurrentTerm());
      } else {
        leadership.refresh(membership::leader);
      }
    }

    @Override
    public void ready(long term) {
      leadership.ready(term);
    }

    @Override
    public void resigned() {
      leadership.resigned();
      leadership.refresh(membership::leader);
    }

    @Override
    public void configurationChanged() {
      leadership.refresh(membership::leader);
      barriers.reconfigured();
    }

    @Override
    public void stopped() {
      stopped = true;
    }

    @Override
    public void removed() {
      removed = true;
    }
  }

  private final class Reading implements ReadBarriers.Node {
    @Override
    public boolean leading() {
      return leadership.leading();
    }

    @Override
    public long committed() {
      return division.getRaftLog().getLastCommittedIndex();
    }

    @Override
    public long applied() {
      return stateMachine.getLastAppliedTermIndex().getIndex();
    }

    @Override
    public RaftConfiguration configuration() {
      return division.getRaftConf();
    }

    @Override
    public RaftPeerId self() {
      return self;
    }
  }

  private void purge(long index) {
    var unused = division.getRaftLog().purge(index);
  }

  /** Now and then: sees what Ratis does not tell. */
  private void look() {
    if (closed.get()) {
      return;
    }
    leadership.refresh(membership::leader);
    if (removed) {
      failure.fail(
          settings.self().id() + " was removed from the cluster",
          new IllegalStateException("the other members do not know this one any more"));
    } else if (stopped && division.getInfo().getLifeCycleState() == LifeCycle.State.CLOSED) {
      failure.fail(
          "the log of " + settings.self().id() + " was closed by an error in it",
          new IllegalStateException("see the messages of org.apache.ratis"));
    } else {
      ratis.look();
      silentPeers.look();
    }
  }

  /** Ends this node after a failure. Nothing is applied from now on; then the machine is told. */
  private void stop(Failure.Reason reason) {
    if (closed.get()) {
      return;
    }
    Thread end =
        new Thread(
            () -> {
              awaitLastApply();
              barriers.resign();
              outstanding.loseAll("this node has stopped: " + reason.what());
              notices.post(() -> machine.failed(reason.what(), reason.cause()));
              ratis.close();
            },
            "onceward-" + settings.self().id() + "-failure");
    end.setDaemon(true);
    end.start();
  }

  private void awaitLastApply() {
    try {
      if (stateMachine.applying().tryLock(CLOSING_MILLIS, TimeUnit.MILLISECONDS)) {
        stateMachine.applying().unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ratis waits for peers that do not answer; this does not wait for long. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Thread closing = new Thread(ratis::close, "onceward-" + settings.self().id() + "-closing");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    leadership.resigned();
    outstanding.loseAll("this node has stopped");
    notices.close();
  }
}
