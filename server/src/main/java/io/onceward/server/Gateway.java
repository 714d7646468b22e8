package io.onceward.server;

import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.onceward.Bytes;
import io.onceward.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Where clients connect: one gRPC stream per client process, on one address. */
final class Gateway implements AutoCloseable {
  /** Until there is authentication, everybody is the same principal. */
  static final String ANONYMOUS = "anonymous";

  private static final int PING_ANSWER_SECONDS = 10;
  private static final int RESETS_PER_WINDOW = 200;
  private static final int RESET_WINDOW_SECONDS = 10;

  private static final MethodDescriptor<byte[], Bytes> CONVERSE =
      MethodDescriptor.<byte[], Bytes>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(MessageBytes.ARRAYS)
          .setResponseMarshaller(MessageBytes.VIEWS)
          .build();

  private final Server server;
  private final ClientLoops loops;

  private Gateway(Server server, ClientLoops loops) {
    this.server = server;
    this.loops = loops;
  }

  /** Listens. Who connects before the node takes part is told that it does not lead. */
  static Gateway open(Node node, InetSocketAddress address, GatewayLimits limits)
      throws IOException {
    ClientLoops loops = new ClientLoops(limits.connections());
    SharedRoom unread = new SharedRoom("answers that are not read", limits.unreadBytes());
    SharedRoom unfinished =
        new SharedRoom("messages that are not finished", limits.unfinishedBytes());
    Server server =
        loops
            .serve(NettyServerBuilder.forAddress(address))
            .directExecutor()
            // A short message must not become a long one.
            .decompressorRegistry(
                DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false))
            .addStreamTracerFactory(UnfinishedMessage.watching(unfinished))
            .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(limits.metadataBytes())
            .maxConcurrentCallsPerConnection(limits.streamsPerConnection())
            .maxRstFramesPerWindow(RESETS_PER_WINDOW, RESET_WINDOW_SECONDS)
            .handshakeTimeout(limits.handshakeSeconds(), TimeUnit.SECONDS)
            .maxConnectionIdle(limits.idleSeconds(), TimeUnit.SECONDS)
            .keepAliveTime(limits.silenceSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
            .flowControlWindow(GatewayLimits.WINDOW_BYTES)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(
                ServerServiceDefinition.builder(Wire.SERVICE)
                    .addMethod(
                        CONVERSE,
                        (call, headers) ->
                            converse(
                                new Conversation(
                                    node,
                                    call,
                                    ANONYMOUS,
                                    limits,
                                    unread,
                                    () ->
                                        loops.cut(
                                            call.getAttributes()
                                                .get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))),
                                call))
                    .build())
            .build();
    try {
      return new Gateway(server.start(), loops);
    } catch (IOException problem) {
      loops.close();
      throw new IOException(
          "cannot listen for clients on "
              + address.getHostString()
              + ":"
              + address.getPort()
              + ": "
              + Reasons.of(problem.getCause() == null ? problem : problem.getCause()),
          problem);
    }
  }

  private static ServerCall.Listener<byte[]> converse(
      Conversation conversation, ServerCall<byte[], Bytes> call) {
    UnfinishedMessage.belongsTo(conversation);
    // It is ready when it has nothing at all. By default it would be with up to 32 KiB, for each
    // of thousands who never read.
    call.setOnReadyThreshold(1);
    call.sendHeaders(new Metadata());
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        conversation.hear(message);
      }

      @Override
      public void onReady() {
        conversation.send();
      }

      @Override
      public void onHalfClose() {
        conversation.hangUp(Status.OK);
      }

      @Override
      public void onCancel() {
        conversation.gone();
      }

      @Override
      public void onComplete() {
        conversation.gone();
      }
    };
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    loops.close();
  }
}
