package io.onceward.server.engine.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/**
 * Ratis over gRPC, with appenders that can prove leadership to readers and votes that last. Ratis
 * makes it from the name of this class in the settings; what it is to work with travels in the
 * parameters.
 */
final class PeerRpc implements RpcType {
  private static final String BARRIERS = "onceward.read-barriers";
  private static final String VOTES = "onceward.votes";
  private static final String FAILURE = "onceward.failure";

  static void observe(Parameters parameters, ReadBarriers barriers, Votes votes, Failure failure) {
    parameters.put(BARRIERS, barriers, ReadBarriers.class);
    parameters.put(VOTES, votes, Votes.class);
    parameters.put(FAILURE, failure, Failure.class);
  }

  @Override
  public String name() {
    return PeerRpc.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new PeerFactory(
        parameters,
        parameters.getNonNull(BARRIERS, ReadBarriers.class),
        parameters.getNonNull(VOTES, Votes.class),
        parameters.getNonNull(FAILURE, Failure.class));
  }
}
