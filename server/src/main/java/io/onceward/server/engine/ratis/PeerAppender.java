package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.LifeCycle;

/** Sends entries and heartbeats to one follower, and can be asked for a heartbeat from now on. */
final class PeerAppender extends GrpcLogAppender {
  /** Some reader waits for the answer to this call or a later one; -1 if none ever did. */
  private volatile long wanted = -1;

  /** When the follower answered entries, or lacked none, for the last time that is known. */
  private volatile long entriesAnsweredAt = System.nanoTime();

  private final Failure failure;
  private final ReadBarriers barriers;
  private final SnapshotPieces pieces = new SnapshotPieces();
  private final FollowerAnswers answers;

  PeerAppender(
      RaftServer.Division server,
      LeaderState leader,
      FollowerInfo follower,
      Failure failure,
      ReadBarriers barriers) {
    super(server, leader, follower);
    this.failure = failure;
    this.barriers = barriers;
    this.answers =
        new FollowerAnswers(
            System::nanoTime,
            this::silentNanos,
            () -> follower.getErrorState().getErrorCountToDelay(),
            this::isRunning);
  }

  @Override
  public GrpcServicesImpl getServerRpc() {
    return (GrpcServicesImpl) ((MemberRpc) getServer().getRaftServer().getServerRpc()).ratis();
  }

  /**
   * Works until this node does not lead any more. Ratis starts an appender that failed once more,
   * and so on for ever, also if it failed because an old entry cannot be read from the disk any
   * more (L4). A file that is gone is no damage: it was purged meanwhile.
   */
  @Override
  public void run() throws IOException {
    try {
      super.run();
    } catch (RaftLogIOException problem) {
      if (problem.getCause() != null && !(problem.getCause() instanceof FileSystemException)) {
        failure.fail(
            "the log is damaged: an entry for "
                + getFollowerId()
                + " could not be read: "
                + Failure.reason(problem),
            problem);
      }
      throw problem;
    }
  }

  /** Its follower leaves, or gets another appender, or this node leads no more. */
  @Override
  public CompletableFuture<LifeCycle.State> stopAsync() {
    barriers.stopped(this);
    return super.stopAsync();
  }

  /**
   * Sees to it that the follower is called.
   *
   * @return the number of a call that was not made yet; the answer to it, or to any later one,
   *     tells what the follower thinks after this moment
   */
  long call() {
    long next = getCallId();
    wanted = next;
    triggerHeartbeat();
    return next;
  }

  /** How long ago the follower answered anything. */
  long silentNanos() {
    return getFollower().getLastRpcResponseTime().elapsedTime().toLong(TimeUnit.NANOSECONDS);
  }

  /** The follower has answered a call. */
  void answered(AppendEntriesReplyProto reply) {
    if (!reply.getIsHearbeat()) {
      entriesAnsweredAt = System.nanoTime();
    }
  }

  /**
   * How long the follower has lacked entries without answering any. It does not lack them as long
   * as it is to get a snapshot first. What it has committed it has, even if the answer that said so
   * was lost; that it tells with every heartbeat.
   */
  long unansweredNanos() {
    long now = System.nanoTime();
    try {
      long has = Math.max(getFollower().getMatchIndex(), getFollower().getCommitIndex());
      if (has >= getRaftLog().getNextIndex() - 1 || shouldInstallSnapshot(true)) {
        entriesAnsweredAt = now;
      }
    } catch (IllegalStateException closed) {
      return 0;
    }
    return now - entriesAnsweredAt;
  }

  /**
   * Sends once more what the follower is not known to have. Ratis learns that only from answers to
   * entries; if such an answer was lost, and nothing is logged after it, it never would.
   */
  void sendAgain() {
    long first = getFollower().getMatchIndex() + 1;
    if (first >= getRaftLog().getStartIndex()) {
      getFollower().computeNextIndex(next -> Math.min(next, first));
      notifyLogAppender();
    }
  }

  /**
   * Forgets the trigger when a call goes out. If a reader asked between the numbering of that call
   * and now, its trigger was the same flag and would be forgotten with it: it would have to wait
   * for the next regular heartbeat.
   */
  @Override
  protected void resetHeartbeatTrigger() {
    super.resetHeartbeatTrigger();
    if (getCallId() <= wanted) {
      triggerHeartbeat();
    }
  }

  /**
   * Where to go on with a follower whose log does not fit. Ratis never goes back behind what a
   * follower had acknowledged, so that one which came back with an empty folder gets nothing before
   * the next entry is logged. A follower that answers a mere heartbeat like that means it.
   */
  @Override
  protected long getNextIndexForInconsistency(long requestFirstIndex, long replyNextIndex) {
    boolean heartbeat = requestFirstIndex == RaftLog.INVALID_LOG_INDEX;
    return heartbeat
        ? replyNextIndex
        : super.getNextIndexForInconsistency(requestFirstIndex, replyNextIndex);
  }

  /** Called once for each attempt to send a snapshot, by who sends it. */
  @Override
  public Iterable<InstallSnapshotRequestProto> newInstallSnapshotRequests(
      String attempt, SnapshotInfo snapshot) {
    return pieces.of(
        newInstallSnapshotNotificationRequest(snapshot.getTermIndex()),
        attempt,
        snapshot,
        getServer().getRaftStorage().getStorageDir().getRoot().toPath(),
        answers::awaitSince);
  }
}
