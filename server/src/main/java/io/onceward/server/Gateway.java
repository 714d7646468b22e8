package io.onceward.server;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.onceward.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Where clients connect: one gRPC stream per client process, on one address. */
final class Gateway implements AutoCloseable {
  /** Until there is authentication, everybody is the same principal. */
  static final String ANONYMOUS = "anonymous";

  private static final int MOST_STREAMS_PER_CONNECTION = 64;
  private static final int FLOW_CONTROL_BYTES = 4 << 20;
  private static final int METADATA_BYTES = 8 << 10;
  private static final int RESETS_PER_WINDOW = 200;
  private static final int RESET_WINDOW_SECONDS = 10;

  private static final MethodDescriptor<byte[], byte[]> CONVERSE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(MessageBytes.MARSHALLER)
          .setResponseMarshaller(MessageBytes.MARSHALLER)
          .build();

  private final Server server;

  private Gateway(Server server) {
    this.server = server;
  }

  /** Listens. Who connects before the node takes part is told that it does not lead. */
  static Gateway open(Node node, InetSocketAddress address) throws IOException {
    Server server =
        NettyServerBuilder.forAddress(address)
            .directExecutor()
            .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
            .maxInboundMetadataSize(METADATA_BYTES)
            .maxConcurrentCallsPerConnection(MOST_STREAMS_PER_CONNECTION)
            .maxRstFramesPerWindow(RESETS_PER_WINDOW, RESET_WINDOW_SECONDS)
            .initialFlowControlWindow(FLOW_CONTROL_BYTES)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(
                ServerServiceDefinition.builder(Wire.SERVICE)
                    .addMethod(CONVERSE, (call, headers) -> converse(node, call))
                    .build())
            .build();
    try {
      return new Gateway(server.start());
    } catch (IOException problem) {
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

  private static ServerCall.Listener<byte[]> converse(Node node, ServerCall<byte[], byte[]> call) {
    Conversation conversation = new Conversation(node, call, ANONYMOUS);
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
  }
}
