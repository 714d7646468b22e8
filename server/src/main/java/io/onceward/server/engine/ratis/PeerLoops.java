package io.onceward.server.engine.ratis;

import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
import org.apache.ratis.thirdparty.io.netty.channel.ReflectiveChannelFactory;
import org.apache.ratis.thirdparty.io.netty.channel.ServerChannel;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.Future;
import org.apache.ratis.util.NettyUtils;

/**
 * Where calls of other members are served: one thread accepts, one works, and the work is done
 * right there. A second worker, or an executor behind it, would let two appends overtake each other
 * between a follower's check of its log and the append itself, which Ratis does not lock together.
 *
 * <p>Only what members say to each other is served. Ratis offers its clients and administrators the
 * same port; what they may do goes through the gateway here. A node that waits to be added serves
 * nothing but {@link AdmissionCall}.
 */
final class PeerLoops implements GrpcServices.Customizer {
  private static final long PATIENCE_SECONDS = 5;

  /** What whoever connects to this port may take (L1): members need a few calls and few headers. */
  private static final int CALLS_PER_CONNECTION = 64;

  private static final int METADATA_BYTES = 8 << 10;
  private static final int RESETS_PER_WINDOW = 200;
  private static final int RESET_WINDOW_SECONDS = 10;
  private static final int HANDSHAKE_SECONDS = 10;
  private static final int IDLE_SECONDS = 300;
  private static final int CONNECTIONS = 1_000;
  private static final long UNFINISHED_BYTES = 40L << 20;

  private final EventLoopGroup boss;
  private final EventLoopGroup worker;
  private final PeerGate gate = new PeerGate(CONNECTIONS);
  private final Queue<ServerChannel> listening = new ConcurrentLinkedQueue<>();

  private final Admission admission;
  private final Votes votes;

  PeerLoops(String node, Admission admission, Votes votes) {
    this.admission = admission;
    this.votes = votes;
    boss = NettyUtils.newEventLoopGroup("onceward-" + node + "-peers-boss", 1, true);
    worker = NettyUtils.newEventLoopGroup("onceward-" + node + "-peers", 1, true);
  }

  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    return builder
        .channelFactory(this::gated)
        .bossEventLoopGroup(boss)
        .workerEventLoopGroup(worker)
        .directExecutor()
        .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
        .maxInboundMetadataSize(METADATA_BYTES)
        .maxRstFramesPerWindow(RESETS_PER_WINDOW, RESET_WINDOW_SECONDS)
        .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
        .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
        .addStreamTracerFactory(new PeerStreams(UNFINISHED_BYTES))
        .addService(AdmissionCall.service(admission))
        .intercept(new MembersOnly());
  }

  private ServerChannel gated() {
    ServerChannel channel =
        new ReflectiveChannelFactory<>(NettyUtils.getServerChannelClass(boss)).newChannel();
    channel.pipeline().addLast(gate);
    listening.add(channel);
    return channel;
  }

  /** Frees the ports. What is connected already stays so. */
  void stopListening() {
    for (ServerChannel channel : listening) {
      if (channel.isRegistered()) {
        channel.close().awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  /** At once: whoever closes them has closed what they serve. */
  void close() {
    Future<?> accepting = boss.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    Future<?> working = worker.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    accepting.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
    working.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private final class MembersOnly implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      String service = call.getMethodDescriptor().getServiceName();
      boolean raft = RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(service);
      if (raft && !admission.takesPart()) {
        return refuse(call, Status.UNAVAILABLE.withDescription("this node waits to be added"));
      }
      if (raft || AdmissionCall.SERVICE.equals(service)) {
        PeerStreams.belongsTo(call);
        return next.startCall(votes.keeping(call), headers);
      }
      return refuse(call, Status.PERMISSION_DENIED.withDescription("members only"));
    }

    private <A, B> ServerCall.Listener<A> refuse(ServerCall<A, B> call, Status why) {
      call.close(why, new Metadata());
      return new ServerCall.Listener<A>() {};
    }
  }
}
