package io.onceward.server.engine.ratis;

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.Future;
import org.apache.ratis.util.NettyUtils;

/**
 * Where calls of other members are served: one thread accepts, one works, and the work is done
 * right there. A second worker, or an executor behind it, would let two appends overtake each other
 * between a follower's check of its log and the append itself, which Ratis does not lock together.
 *
 * <p>Only what members say to each other is served. Ratis offers its clients and administrators the
 * same port; what they may do goes through the gateway here.
 */
final class PeerLoops implements GrpcServices.Customizer {
  private static final long PATIENCE_SECONDS = 5;

  private final EventLoopGroup boss;
  private final EventLoopGroup worker;

  PeerLoops(String node) {
    boss = NettyUtils.newEventLoopGroup("onceward-" + node + "-peers-boss", 1, true);
    worker = NettyUtils.newEventLoopGroup("onceward-" + node + "-peers", 1, true);
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    return builder
        .channelType(NettyUtils.getServerChannelClass(boss))
        .bossEventLoopGroup(boss)
        .workerEventLoopGroup(worker)
        .directExecutor()
        .intercept(new MembersOnly());
  }

  /** At once: whoever closes them has closed what they serve. */
  void close() {
    Future<?> accepting = boss.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    Future<?> working = worker.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    accepting.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
    working.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static final class MembersOnly implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      if (RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(
          call.getMethodDescriptor().getServiceName())) {
        return next.startCall(call, headers);
      }
      call.close(Status.PERMISSION_DENIED.withDescription("members only"), new Metadata());
      return new ServerCall.Listener<A>() {};
    }
  }
}
