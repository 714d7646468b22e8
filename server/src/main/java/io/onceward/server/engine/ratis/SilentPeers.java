package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * Gives up connections to members that do not answer. Neither Ratis nor its gRPC asks whether the
 * other end of a connection is still there. One that died without a sign, say because a firewall
 * has forgotten it, would be believed in until TCP gives up, which takes a quarter of an hour: so
 * long a follower would hear nothing, and a candidate would get no vote.
 */
final class SilentPeers {
  /** So many times the longest time that a follower waits for its leader. */
  private static final int PATIENCE = 10;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final ReadBarriers barriers;
  private final long patienceNanos;
  private final Map<RaftPeerId, Long> givenUpAt = new HashMap<>();
  private long ledAt = System.nanoTime();

  SilentPeers(
      EngineSettings settings,
      RaftServer server,
      RaftServer.Division division,
      ReadBarriers barriers) {
    this.server = server;
    this.division = division;
    this.barriers = barriers;
    patienceNanos = TimeUnit.MILLISECONDS.toNanos((long) PATIENCE * settings.electionMillisMax());
  }

  /** To be called again and again, by one thread. */
  void look() {
    long now = System.nanoTime();
    if (division.getInfo().isLeader()) {
      ledAt = now;
      for (PeerAppender appender : barriers.appenders()) {
        judge(appender.getFollowerId(), appender.silentNanos(), now);
      }
    } else if (division.getInfo().getLeaderId() != null) {
      ledAt = now;
    } else {
      for (RaftPeer member : division.getRaftConf().getAllPeers()) {
        if (!member.getId().equals(division.getId())) {
          judge(member.getId(), now - ledAt, now);
        }
      }
    }
  }

  private void judge(RaftPeerId member, long silentNanos, long now) {
    long sinceGivenUp = now - givenUpAt.getOrDefault(member, now - patienceNanos);
    if (silentNanos < patienceNanos || sinceGivenUp < patienceNanos) {
      return;
    }
    givenUpAt.put(member, now);
    // It waits for seconds, in case that the connection ends in peace.
    Thread closing =
        new Thread(
            () -> server.getServerRpc().handleException(member, null, true),
            "onceward-" + division.getId() + "-gives-up-" + member);
    closing.setDaemon(true);
    closing.start();
  }
}
