package io.onceward.server;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Hands messages to gRPC as they are: the wire codec has already made bytes of them. One array and
 * one copy each way.
 */
final class MessageBytes extends ByteArrayInputStream implements KnownLength, Drainable {
  static final MethodDescriptor.Marshaller<byte[]> MARSHALLER =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new MessageBytes(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return read(stream);
          } catch (IOException problem) {
            throw new UncheckedIOException(problem);
          }
        }
      };

  private MessageBytes(byte[] message) {
    super(message);
  }

  /** A stream that knows its length need not be read piece by piece. */
  private static byte[] read(InputStream stream) throws IOException {
    if (!(stream instanceof KnownLength)) {
      return stream.readAllBytes();
    }
    byte[] message = new byte[stream.available()];
    if (stream.readNBytes(message, 0, message.length) < message.length) {
      throw new EOFException("a message is shorter than was announced");
    }
    return message;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int left = count - pos;
    target.write(buf, pos, left);
    pos = count;
    return left;
  }
}
