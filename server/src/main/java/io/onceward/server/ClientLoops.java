package io.onceward.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve clients, and the gate through which connections come to them. They are
 * what gRPC would have taken by itself; it offers no place for a gate otherwise.
 */
final class ClientLoops {
  private static final long PATIENCE_SECONDS = 2;

  private final EventLoopGroup boss;
  private final EventLoopGroup workers;
  private final ConnectionGate gate;

  ClientLoops(int mostConnections) {
    boss = group("onceward-clients-boss", 1);
    // Zero: as many as Netty thinks fit for this machine.
    workers = group("onceward-clients", 0);
    gate = new ConnectionGate(withinFiles(mostConnections), workers);
  }

  private static EventLoopGroup group(String name, int threads) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), io);
  }

  /** A node without a file left for its log would have to stop. */
  private static int withinFiles(int connections) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? (int) Math.min(connections, system.getMaxFileDescriptorCount() / 4 * 3)
        : connections;
  }

  NettyServerBuilder serve(NettyServerBuilder builder) {
    return builder
        .bossEventLoopGroup(boss)
        .workerEventLoopGroup(workers)
        .withOption(ChannelOption.SO_BACKLOG, ConnectionGate.WAITING)
        .channelFactory(this::gated);
  }

  /** Ends the connection with this peer. */
  void cut(@Nullable SocketAddress peer) {
    gate.cut(peer);
  }

  private ServerChannel gated() {
    ServerChannel channel =
        Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    channel.pipeline().addLast(gate);
    return channel;
  }

  /** At once: whoever closes them has closed what they serve. */
  void close() {
    Future<?> accepting = boss.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    Future<?> working = workers.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
    accepting.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
    working.awaitUninterruptibly(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
