package io.onceward.server.engine.ratis;

import io.onceward.files.FileInUseException;
import io.onceward.files.Folders;
import io.onceward.files.ProcessLock;
import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.Closeable;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.LifeCycle;

/**
 * A server of Ratis with its threads. It never ends the process by itself, and it does not go on
 * after one of its threads has died.
 */
final class RatisServer {
  private static final String EVENT_LOOPS = "org.apache.ratis.thirdparty.io.netty.eventLoopThreads";

  static {
    // Ratis takes over the exceptions of all threads of the process, and exits on each of them, and
    // also when a port is taken.
    UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(before);
    // One thread speaks to all peers. More of them only take turns on the same few cores.
    if (System.getProperty(EVENT_LOOPS) == null) {
      System.setProperty(EVENT_LOOPS, "1");
    }
  }

  private static final long CLOSING_SECONDS = 5;
  private static final int LOOKS_AT_CANDIDATE = 20;
  private static final int LOOKS_AT_DISK = 600;

  private final EngineSettings settings;
  private final Failure failure;
  private final ProcessLock lock;
  private final ThreadGroup threads;
  private final PeerLoops loops;
  private final RaftServer server;
  private final RaftServer.Division division;
  private long campaignTerm;
  private int campaigns;
  private long lastFlushed;
  private int stalls;

  private RatisServer(
      EngineSettings settings,
      Failure failure,
      ProcessLock lock,
      ThreadGroup threads,
      PeerLoops loops,
      RaftServer server)
      throws IOException {
    this.settings = settings;
    this.failure = failure;
    this.lock = lock;
    this.threads = threads;
    this.loops = loops;
    this.server = server;
    this.division = server.getDivision(Peers.GROUP);
  }

  static RatisServer build(
      EngineSettings settings,
      EngineStateMachine stateMachine,
      ReadBarriers barriers,
      Failure failure)
      throws IOException {
    Folders.make(settings.folder());
    requireFree(settings.bindHost(), settings.self().peerPort());
    ProcessLock lock = lock(settings);
    try {
      return build(settings, stateMachine, barriers, failure, lock);
    } catch (IOException | RuntimeException | Error problem) {
      lock.close();
      throw problem;
    }
  }

  private static RatisServer build(
      EngineSettings settings,
      EngineStateMachine stateMachine,
      ReadBarriers barriers,
      Failure failure,
      ProcessLock lock)
      throws IOException {
    Member self = settings.self();
    Admission admission = Admission.of(settings);
    Votes votes = new Votes(settings, failure);
    ThreadGroup threads = new Threads("onceward-" + self.id(), failure);
    PeerLoops loops = new PeerLoops(self.id(), admission, votes);
    Parameters parameters = new Parameters();
    PeerRpc.observe(parameters, barriers, votes, failure);
    GrpcConfigKeys.Server.setServicesCustomizer(parameters, loops);
    RaftServer server = null;
    try {
      server =
          RaftServer.newBuilder()
              .setServerId(Peers.id(self))
              .setStateMachine(stateMachine)
              .setProperties(RatisSettings.of(settings))
              .setParameters(parameters)
              .setThreadGroup(threads)
              // Takes the folder as it is, and makes it if it is not there.
              .setOption(RaftStorage.StartupOption.RECOVER)
              .setGroup(RaftGroup.valueOf(Peers.GROUP, Peers.peers(settings.members())))
              .build();
      return new RatisServer(settings, failure, lock, threads, loops, server);
    } catch (IOException | RuntimeException | Error problem) {
      if (server != null) {
        server.close();
      }
      loops.close();
      throw problem;
    }
  }

  /** Ratis would find out after it has read the whole log. */
  private static void requireFree(String host, int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
    } catch (BindException taken) {
      throw new PlainException(
          "cannot listen for other members at "
              + host
              + ":"
              + port
              + ": "
              + taken.getMessage()
              + ". Is another node running there?",
          taken);
    }
  }

  /**
   * Ratis locks the folder too, but would try five times, a second apart; and if two servers of one
   * process tried, the second attempt would let other processes in.
   */
  private static ProcessLock lock(EngineSettings settings) throws IOException {
    try {
      return ProcessLock.take(settings.folder().resolve("lock"));
    } catch (FileInUseException taken) {
      throw new PlainException(
          "the folder " + settings.folder() + " is in use by another node that is running", taken);
    }
  }

  RaftServer server() {
    return server;
  }

  RaftServer.Division division() {
    return division;
  }

  void start() throws IOException {
    try {
      server.start();
    } catch (IOException | RuntimeException problem) {
      throw new PlainException(Failure.reason(problem), problem);
    }
  }

  /** Returns when the log is closed, also if it is closing already because of an error in it. */
  synchronized void close() {
    // A node that is started in this one's place needs the port, however long the rest takes.
    loops.stopListening();
    // The log next: to close connections takes seconds if the other ends are silent.
    closing(division);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSING_SECONDS);
    while (!over(division.getInfo().getLifeCycleState()) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    unlock();
    closing(server);
    loops.close();
    unlock();
  }

  private void closing(Closeable part) {
    try {
      part.close();
    } catch (IOException | RuntimeException problem) {
      failure.fail("the engine could not be closed: " + Failure.reason(problem), problem);
    }
  }

  /** As long as the log may still be written, nobody else gets the folder. */
  private void unlock() {
    if (over(division.getInfo().getLifeCycleState())) {
      try {
        lock.close();
      } catch (IOException problem) {
        failure.fail("the folder could not be unlocked: " + Failure.reason(problem), problem);
      }
    }
  }

  private static boolean over(LifeCycle.State state) {
    return state == LifeCycle.State.NEW || state == LifeCycle.State.CLOSED;
  }

  /** Notices, if called again and again, what Ratis does not tell anyone. */
  void look() {
    lookAtElection();
    lookAtDisk();
  }

  /**
   * A candidate that nobody works for: an election in which term and vote cannot be written ends
   * with a message to the log of Ratis, and the node stays a candidate for ever.
   */
  private void lookAtElection() {
    boolean candidate =
        division.getInfo().getLifeCycleState() == LifeCycle.State.RUNNING
            && division.getInfo().getCurrentRole() == RaftPeerRole.CANDIDATE;
    long term = division.getInfo().getCurrentTerm();
    campaigns = candidate && term == campaignTerm && !electing() ? campaigns + 1 : 0;
    campaignTerm = term;
    if (campaigns > LOOKS_AT_CANDIDATE) {
      failure.fail(
          "an election could not be held: can files be written to " + settings.folder() + "?",
          new IllegalStateException("the election at term " + term + " has died"));
    }
  }

  /**
   * A disk that takes no entry any more, or a log whose thread has died. A leader with such a disk
   * would keep its office and commit nothing. Looks are counted instead of time, because a process
   * may be suspended.
   */
  private void lookAtDisk() {
    RaftLog log = division.getRaftLog();
    TermIndex last = log.isOpened() ? log.getLastEntryTermIndex() : null;
    long flushed = log.getFlushIndex();
    boolean stuck = last != null && last.getIndex() > flushed && flushed == lastFlushed;
    stalls = stuck ? stalls + 1 : 0;
    lastFlushed = flushed;
    if (stalls > LOOKS_AT_DISK) {
      failure.fail(
          "the log in " + settings.folder() + " has not been written for half a minute",
          new IllegalStateException("the entry at position " + flushed + " was the last one"));
    }
  }

  private boolean electing() {
    Thread[] alive = new Thread[threads.activeCount() + 16];
    int count = threads.enumerate(alive, true);
    for (int i = 0; i < count; i++) {
      if (alive[i].getName().contains("LeaderElection")) {
        return true;
      }
    }
    return false;
  }

  /** The threads of a server. If one of them dies of an exception, the rest would wait for it. */
  private static final class Threads extends ThreadGroup {
    private final Failure failure;

    Threads(String name, Failure failure) {
      super(name);
      this.failure = failure;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable problem) {
      failure.fail(
          "thread " + thread.getName() + " of the engine has died: " + Failure.reason(problem),
          problem);
    }
  }
}
