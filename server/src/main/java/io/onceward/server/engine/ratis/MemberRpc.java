package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;

/**
 * What Ratis calls other members through, with two differences for a candidate. Its own vote is
 * synced before it asks for those of others ({@link Votes}). And it connects anew to a member that
 * it could not reach: gRPC waits between attempts, longer each time, up to two minutes, while
 * elections fail whose voters have come back long ago.
 */
final class MemberRpc implements GrpcServices {
  private final GrpcServices ratis;
  private final Votes votes;

  MemberRpc(GrpcServices ratis, Votes votes) {
    this.ratis = ratis;
    this.votes = votes;
  }

  /** What stands behind it. */
  GrpcServices ratis() {
    return ratis;
  }

  @Override
  public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
    if (!request.getPreVote()) {
      votes.sync();
    }
    try {
      return ratis.requestVote(request);
    } catch (StatusRuntimeException problem) {
      if (problem.getStatus().getCode() == Status.Code.UNAVAILABLE) {
        ratis.handleException(
            RaftPeerId.valueOf(request.getServerRequest().getReplyId()), problem, true);
      }
      throw problem;
    }
  }

  // ---- as it is -------------------------------------------------------------------------------

  @Override
  public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
      throws IOException {
    return ratis.appendEntries(request);
  }

  @Override
  public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
      throws IOException {
    return ratis.installSnapshot(request);
  }

  @Override
  public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
      throws IOException {
    return ratis.startLeaderElection(request);
  }

  @Override
  public RaftServerAsynchronousProtocol async() {
    return ratis.async();
  }

  @Override
  public void handleException(RaftPeerId member, Exception problem, boolean reconnect) {
    ratis.handleException(member, problem, reconnect);
  }

  @Override
  public void notifyNotLeader(RaftGroupId group) {
    ratis.notifyNotLeader(group);
  }

  @Override
  public void addRaftPeers(Collection<RaftPeer> peers) {
    ratis.addRaftPeers(peers);
  }

  @Override
  public RpcType getRpcType() {
    return ratis.getRpcType();
  }

  @Override
  public InetSocketAddress getInetSocketAddress() {
    return ratis.getInetSocketAddress();
  }

  @Override
  public InetSocketAddress getClientServerAddress() {
    return ratis.getClientServerAddress();
  }

  @Override
  public InetSocketAddress getAdminServerAddress() {
    return ratis.getAdminServerAddress();
  }

  @Override
  public void start() throws IOException {
    ratis.start();
  }

  @Override
  public void close() throws IOException {
    ratis.close();
  }
}
