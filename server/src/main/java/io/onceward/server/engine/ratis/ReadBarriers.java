package io.onceward.server.engine.ratis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.jspecify.annotations.Nullable;

/**
 * Lets readers wait until everything that was committed when they asked is applied here, and until
 * a majority, called after they asked, has confirmed that this node leads. Readers share rounds of
 * calls: one round is under way, and whoever comes meanwhile shares the next.
 *
 * <p>Ratis has linearizable reads of its own, which are not used because they are not: a reader is
 * let through without a call when the commit index has not moved since some earlier call, and joins
 * a call that was made before it asked. A leader that was cut off and replaced a moment ago would
 * answer with what it had.
 */
final class ReadBarriers {

  /** What the barriers need to know of this node. */
  interface Node {
    /** Whether this node leads and has applied an entry of its own term. */
    boolean leading();

    long committed();

    long applied();

    RaftConfiguration configuration();

    RaftPeerId self();
  }

  /** Readers that wait for the same calls. */
  private static final class Round {
    private final List<CompletableFuture<Void>> readers = new ArrayList<>();
    private final Map<RaftPeerId, Long> calls = new HashMap<>();
    private final Set<RaftPeerId> confirmed = new HashSet<>();
    private long committed;

    void finish(@Nullable RuntimeException problem) {
      for (CompletableFuture<Void> reader : readers) {
        if (problem == null) {
          reader.complete(null);
        } else {
          reader.completeExceptionally(problem);
        }
      }
    }
  }

  private final Map<RaftPeerId, PeerAppender> appenders = new HashMap<>();
  private final List<Round> unapplied = new ArrayList<>();
  private @Nullable LeaderState reign;
  private @Nullable Round gathering;
  private volatile @Nullable Round calling;
  private @Nullable Node node;

  /** The lowest index that a confirmed round waits for, so that applying looks at one field. */
  private volatile long awaited = Long.MAX_VALUE;

  synchronized void serve(Node served) {
    node = served;
  }

  CompletableFuture<Void> barrier() {
    CompletableFuture<Void> reader = new CompletableFuture<>();
    List<Round> done = new ArrayList<>(1);
    RuntimeException refused = null;
    synchronized (this) {
      if (node == null || !node.leading()) {
        refused = notLeading();
      } else {
        if (gathering == null) {
          gathering = new Round();
        }
        gathering.readers.add(reader);
        settle(done);
        callIfIdle(done);
      }
    }
    if (refused != null) {
      reader.completeExceptionally(refused);
    }
    finish(done);
    return reader;
  }

  /** A leader gets the appender for one of its followers, perhaps in place of an earlier one. */
  void appends(LeaderState leader, PeerAppender appender) {
    List<Round> failed = new ArrayList<>();
    synchronized (this) {
      if (reign != leader) {
        takeAll(failed);
        appenders.clear();
        reign = leader;
      }
      appenders.put(appender.getFollowerId(), appender);
      if (calling != null) {
        calling.calls.put(appender.getFollowerId(), appender.call());
      }
    }
    fail(failed);
  }

  /** A follower has answered a call. Unless it says that another one leads, it takes us for it. */
  void answered(LogAppender appender, AppendEntriesReplyProto reply) {
    boolean recognized =
        reply.getResult() == AppendResult.SUCCESS
            || reply.getResult() == AppendResult.INCONSISTENCY;
    if (calling == null || !recognized) {
      return;
    }
    List<Round> done = new ArrayList<>(1);
    synchronized (this) {
      confirm(appender, reply.getServerReply().getCallId());
      settle(done);
    }
    finish(done);
  }

  private void confirm(LogAppender appender, long answered) {
    RaftPeerId follower = appender.getFollowerId();
    if (calling == null || appenders.get(follower) != appender) {
      return;
    }
    Long call = calling.calls.get(follower);
    if (call != null && answered >= call) {
      calling.confirmed.add(follower);
    }
  }

  /**
   * Other members count from now on. Those that have confirmed the round under way may be a
   * majority of these, and nobody else may be left to answer: Ratis stops calling a member that
   * leaves before it goes by the members that remain.
   */
  void reconfigured() {
    List<Round> done = new ArrayList<>(1);
    synchronized (this) {
      settle(done);
    }
    finish(done);
  }

  /** This one calls its follower no more. */
  synchronized void stopped(PeerAppender appender) {
    appenders.remove(appender.getFollowerId(), appender);
  }

  /** Everything up to this index is applied. */
  void applied(long index) {
    if (index < awaited) {
      return;
    }
    List<Round> done = new ArrayList<>();
    synchronized (this) {
      release(index, done);
    }
    finish(done);
  }

  /** This node does not lead any more. */
  void resign() {
    List<Round> failed = new ArrayList<>();
    synchronized (this) {
      takeAll(failed);
    }
    fail(failed);
  }

  /** The followers that entries are sent to, by id. */
  synchronized Collection<PeerAppender> appenders() {
    return new ArrayList<>(appenders.values());
  }

  private void callIfIdle(List<Round> done) {
    if (calling != null || gathering == null) {
      return;
    }
    calling = gathering;
    gathering = null;
    calling.committed = served().committed();
    for (PeerAppender appender : appenders.values()) {
      calling.calls.put(appender.getFollowerId(), appender.call());
    }
    settle(done);
  }

  /** Ends the round under way if a majority has confirmed, and starts the next one. */
  private void settle(List<Round> done) {
    Round round = calling;
    if (round == null || !confirmed(round)) {
      return;
    }
    calling = null;
    unapplied.add(round);
    awaited = Math.min(awaited, round.committed);
    release(served().applied(), done);
    callIfIdle(done);
  }

  private boolean confirmed(Round round) {
    RaftConfiguration configuration = served().configuration();
    return majority(configuration.getCurrentPeers(), round)
        && (configuration.getPreviousPeers().isEmpty()
            || majority(configuration.getPreviousPeers(), round));
  }

  private boolean majority(Collection<RaftPeer> peers, Round round) {
    int votes = 0;
    for (RaftPeer peer : peers) {
      if (peer.getId().equals(served().self()) || round.confirmed.contains(peer.getId())) {
        votes++;
      }
    }
    return votes > peers.size() / 2;
  }

  private void release(long applied, List<Round> done) {
    long lowest = Long.MAX_VALUE;
    for (int i = unapplied.size() - 1; i >= 0; i--) {
      Round round = unapplied.get(i);
      if (round.committed <= applied) {
        unapplied.remove(i);
        done.add(round);
      } else {
        lowest = Math.min(lowest, round.committed);
      }
    }
    awaited = lowest;
  }

  private void takeAll(List<Round> rounds) {
    rounds.addAll(unapplied);
    unapplied.clear();
    awaited = Long.MAX_VALUE;
    if (calling != null) {
      rounds.add(calling);
      calling = null;
    }
    if (gathering != null) {
      rounds.add(gathering);
      gathering = null;
    }
  }

  private Node served() {
    if (node == null) {
      throw new IllegalStateException("no reader can come before the engine has started");
    }
    return node;
  }

  /** Readers run what they like when they are let through: never with the lock held. */
  private static void finish(List<Round> rounds) {
    for (Round round : rounds) {
      round.finish(null);
    }
  }

  private static void fail(List<Round> rounds) {
    for (Round round : rounds) {
      round.finish(notLeading());
    }
  }

  private static RuntimeException notLeading() {
    return new IllegalStateException("this node does not lead");
  }
}
