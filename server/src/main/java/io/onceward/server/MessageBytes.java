package io.onceward.server;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Hands messages to gRPC as they are: the wire codec has already made bytes of them. */
final class MessageBytes extends ByteArrayInputStream implements KnownLength {
  static final MethodDescriptor.Marshaller<byte[]> MARSHALLER =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new MessageBytes(message);
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

  private MessageBytes(byte[] message) {
    super(message);
  }
}
