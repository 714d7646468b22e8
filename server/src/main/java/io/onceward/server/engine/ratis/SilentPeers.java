package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;

/**
 * Gives up connections to members that do not answer. Neither Ratis nor its gRPC asks whether the
 * other end of a connection is still there. One that died without a sign, say because a firewall
 * has forgotten it, would be believed in until TCP gives up, which takes a quarter of an hour: so
 * long a follower would hear nothing, and a candidate would get no vote.
 *
 * <p>Ratis sends entries and heartbeats on connections of their own. If the one for entries dies
 * alone, heartbeats are answered as ever and the follower gets nothing, so answers to entries are
 * watched apart.
 */
final class SilentPeers {
  /** So many times the longest time that a follower waits for its leader. */
  private static final int PATIENCE = 10;

  /**
   * Without a leader nothing works, and a vote is small. TCP repeats an attempt to connect after 1,
   * 3 and 7 s: one that began while the network was cut would lie idle for seconds after it is not.
   */
  private static final int PATIENCE_OF_VOTERS = 5;

  /** A follower may be slow to answer entries: in the end it is given so many times as long. */
  private static final int MOST_PATIENCE = 64;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final ReadBarriers barriers;
  private final long patienceNanos;
  private final long votersPatienceNanos;
  private final Map<RaftPeerId, Watch> watches = new HashMap<>();
  private final Map<RaftPeerId, Watch> voters = new HashMap<>();
  private long ledAt = System.nanoTime();

  SilentPeers(
      EngineSettings settings,
      RaftServer server,
      RaftServer.Division division,
      ReadBarriers barriers) {
    this.server = server;
    this.division = division;
    this.barriers = barriers;
    long longest = TimeUnit.MILLISECONDS.toNanos(settings.electionMillisMax());
    patienceNanos = PATIENCE * longest;
    votersPatienceNanos = PATIENCE_OF_VOTERS * longest;
  }

  /** To be called again and again, by one thread. */
  void look() {
    long now = System.nanoTime();
    if (division.getInfo().getLifeCycleState() != LifeCycle.State.RUNNING) {
      return;
    }
    if (division.getInfo().isLeader()) {
      ledAt = now;
      for (PeerAppender appender : barriers.appenders()) {
        long unanswered = appender.unansweredNanos();
        RaftPeerId follower = appender.getFollowerId();
        Watch watch = watches.computeIfAbsent(follower, first -> new Watch(patienceNanos, now));
        if (watch.givesUp(appender.silentNanos(), unanswered, now)) {
          giveUp(follower);
          appender.sendAgain();
        }
      }
    } else if (division.getInfo().getLeaderId() != null) {
      ledAt = now;
    } else {
      for (RaftPeer member : division.getRaftConf().getAllPeers()) {
        if (!member.getId().equals(division.getId())) {
          Watch watch =
              voters.computeIfAbsent(member.getId(), first -> new Watch(votersPatienceNanos, now));
          if (watch.givesUp(now - ledAt, 0, now)) {
            giveUp(member.getId());
          }
        }
      }
    }
  }

  private void giveUp(RaftPeerId member) {
    // It waits for seconds, in case that the connection ends in peace.
    Thread closing =
        new Thread(
            () -> server.getServerRpc().handleException(member, null, true),
            "onceward-" + division.getId() + "-gives-up-" + member);
    closing.setDaemon(true);
    closing.start();
  }

  /** Decides when to give up the connections to one member. */
  static final class Watch {
    private final long patience;
    private long patienceForEntries;
    private long silentAt;
    private long gaveUpAt;

    Watch(long patience, long now) {
      this.patience = patience;
      patienceForEntries = patience;
      silentAt = now;
      gaveUpAt = now;
    }

    /**
     * Whether to give them up now. Entries may be unanswered because they take their time, on a
     * narrow line for instance, and would never arrive if their connection was given up again and
     * again: so each time that it helped nothing they get twice as long.
     *
     * @param silentNanos how long ago the member answered anything
     * @param unansweredNanos how long it has lacked entries without answering any
     */
    boolean givesUp(long silentNanos, long unansweredNanos, long now) {
      boolean silent = silentNanos >= patience;
      if (silent) {
        silentAt = now;
      }
      // Who was away begins anew.
      long unanswered = Math.min(unansweredNanos, now - silentAt);
      if (unanswered < patience) {
        patienceForEntries = patience;
      }
      long enough = silent ? patience : patienceForEntries;
      if (Math.max(silentNanos, unanswered) < enough || now - gaveUpAt < enough) {
        return false;
      }
      gaveUpAt = now;
      if (!silent) {
        patienceForEntries = Math.min(2 * patienceForEntries, MOST_PATIENCE * patience);
      }
      return true;
    }
  }
}
