package io.onceward.client.transport;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.onceward.wire.Wire;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lines over gRPC: each is one bidirectional stream on a connection of its own, so that replacing a
 * line replaces the socket. One event loop serves all of them, and everything runs on it: the
 * network, the listeners and the timers.
 */
public final class GrpcTransport implements Transport {
  private static final MethodDescriptor<byte[], byte[]> CONVERSE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(new ByteMarshaller())
          .setResponseMarshaller(new ByteMarshaller())
          .build();

  /** How many bytes may wait for the network before a line is not ready. */
  private static final int READY_BYTES = 256 << 10;

  private static final int FLOW_CONTROL_BYTES = 4 << 20;
  private static final int END_SECONDS = 5;

  private final EventLoopGroup group;
  private final EventLoop loop;
  private final int connectTimeoutMillis;

  public GrpcTransport(int connectTimeoutMillis) {
    this.connectTimeoutMillis = connectTimeoutMillis;
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            task -> {
              Thread thread = new Thread(task, "onceward-client");
              thread.setDaemon(true);
              return thread;
            },
            NioIoHandler.newFactory());
    this.loop = group.next();
  }

  @Override
  public Line connect(String address, Line.Listener listener) {
    ManagedChannel channel =
        channelTo(address)
            .eventLoopGroup(group)
            .channelType(NioSocketChannel.class, InetSocketAddress.class)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
            .withOption(ChannelOption.TCP_NODELAY, true)
            .directExecutor()
            .disableRetry()
            // More than gRPC's longest: the line is never taken for idle.
            .idleTimeout(365, TimeUnit.DAYS)
            .proxyDetector(target -> null)
            .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
            .initialFlowControlWindow(FLOW_CONTROL_BYTES)
            .build();
    ClientCall<byte[], byte[]> call =
        channel.newCall(CONVERSE, CallOptions.DEFAULT.withOnReadyThreshold(READY_BYTES));
    GrpcLine line = new GrpcLine(channel, call, listener);
    call.start(line, new Metadata());
    call.request(Integer.MAX_VALUE);
    return line;
  }

  /**
   * A literal address needs no name service, which gRPC would ask on threads of its own.
   *
   * @throws IllegalArgumentException if it is not {@code host:port}
   */
  private static NettyChannelBuilder channelTo(String address) {
    HostAndPort to = HostAndPort.parse(address);
    String host = to.host();
    boolean literal =
        host.equals("localhost") || host.startsWith("[") || HostAndPort.isNumeric(host);
    return literal
        ? NettyChannelBuilder.forAddress(
            new InetSocketAddress(host, to.port()), InsecureChannelCredentials.create())
        : NettyChannelBuilder.forTarget("dns:///" + address, InsecureChannelCredentials.create());
  }

  @Override
  public void execute(Runnable task) {
    if (!loop.isShuttingDown()) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        // It is shutting down after all.
      }
    }
  }

  @Override
  public void schedule(Runnable task, long delayMillis) {
    if (!loop.isShuttingDown()) {
      try {
        Future<?> unused = loop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        // It is shutting down after all.
      }
    }
  }

  @Override
  public boolean isTransportThread() {
    return loop.inEventLoop();
  }

  @Override
  public void close() {
    Future<?> ended = group.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS);
    if (!loop.inEventLoop()) {
      ended.awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
    }
  }

  private final class GrpcLine extends ClientCall.Listener<byte[]> implements Line {
    private final ManagedChannel channel;
    private final ClientCall<byte[], byte[]> call;
    private final Listener listener;
    private final AtomicBoolean closed = new AtomicBoolean();

    GrpcLine(ManagedChannel channel, ClientCall<byte[], byte[]> call, Listener listener) {
      this.channel = channel;
      this.call = call;
      this.listener = listener;
    }

    @Override
    public boolean isReady() {
      return call.isReady();
    }

    @Override
    public void send(byte[] message) {
      call.sendMessage(message);
    }

    @Override
    public void close(String reason) {
      call.cancel(reason, null);
      channel.shutdownNow();
      end(reason);
    }

    @Override
    public void onReady() {
      onThread(listener::ready);
    }

    @Override
    public void onMessage(byte[] message) {
      listener.received(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      channel.shutdownNow();
      end(reason(status));
    }

    private void end(String reason) {
      if (closed.compareAndSet(false, true)) {
        onThread(() -> listener.closed(reason));
      }
    }

    private void onThread(Runnable task) {
      if (loop.inEventLoop()) {
        task.run();
      } else {
        execute(task);
      }
    }
  }

  private static String reason(Status status) {
    StringBuilder reason = new StringBuilder();
    String description = status.getDescription();
    reason.append(description == null ? status.getCode() : description);
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && reason.indexOf(cause.getMessage()) < 0) {
        reason.append(": ").append(cause.getMessage());
      }
    }
    return reason.toString();
  }
}
