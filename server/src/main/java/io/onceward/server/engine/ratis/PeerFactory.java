package io.onceward.server.engine.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Makes the parts of Ratis that talk to peers, and introduces the appenders to the barriers. */
final class PeerFactory extends GrpcFactory {
  private final ReadBarriers barriers;
  private final Votes votes;
  private final Failure failure;

  PeerFactory(Parameters parameters, ReadBarriers barriers, Votes votes, Failure failure) {
    super(parameters);
    this.barriers = barriers;
    this.votes = votes;
    this.failure = failure;
  }

  @Override
  public GrpcServices newRaftServerRpc(RaftServer server) {
    return new MemberRpc(super.newRaftServerRpc(server), votes);
  }

  @Override
  public LogAppender newLogAppender(
      RaftServer.Division server, LeaderState state, FollowerInfo follower) {
    PeerAppender appender =
        new PeerAppender(server, new ObservedLeader(state, barriers), follower, failure, barriers);
    barriers.appends(state, appender);
    return appender;
  }
}
