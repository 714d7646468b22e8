package io.onceward.benchmarks.cluster;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.KnownLength;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.onceward.wire.Wire;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** One conversation with one node, message by message, with nothing of the client library. */
final class WireStream implements AutoCloseable {

  /** Hears on the connection's thread, one message at a time. */
  interface Listener {
    void heard(byte[] message);

    void ended(String why);
  }

  private static final class KnownBytes extends ByteArrayInputStream implements KnownLength {
    KnownBytes(byte[] message) {
      super(message);
    }
  }

  private static final MethodDescriptor.Marshaller<byte[]> AS_THEY_ARE =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new KnownBytes(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException problem) {
            throw new UncheckedIOException(problem);
          }
        }
      };

  private static final MethodDescriptor<byte[], byte[]> CONVERSE =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(Wire.SERVICE, Wire.METHOD))
          .setRequestMarshaller(AS_THEY_ARE)
          .setResponseMarshaller(AS_THEY_ARE)
          .build();

  private final ManagedChannel channel;
  private final ClientCall<byte[], byte[]> call;

  WireStream(String address, Listener listener) {
    channel =
        NettyChannelBuilder.forTarget("dns:///" + address)
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(Wire.MAX_MESSAGE_BYTES)
            .flowControlWindow(4 << 20)
            .build();
    call = channel.newCall(CONVERSE, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(byte[] message) {
            listener.heard(message);
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            listener.ended(status.toString());
          }
        },
        new Metadata());
    call.request(1);
  }

  void send(byte[] message) {
    call.sendMessage(message);
  }

  @Override
  public void close() {
    call.cancel("finished", null);
    channel.shutdownNow();
    try {
      boolean unused = channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
