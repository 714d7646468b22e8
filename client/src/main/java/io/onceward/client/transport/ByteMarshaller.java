package io.onceward.client.transport;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Messages are bytes already; this hands them to gRPC and back with one copy each way. */
final class ByteMarshaller implements MethodDescriptor.Marshaller<byte[]> {

  @Override
  public InputStream stream(byte[] message) {
    return new Message(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream instanceof KnownLength ? exactly(stream) : stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One array: {@code readNBytes(length)} would read pieces and join them. */
  private static byte[] exactly(InputStream stream) throws IOException {
    byte[] message = new byte[stream.available()];
    if (stream.readNBytes(message, 0, message.length) < message.length) {
      throw new EOFException("a message is shorter than was announced");
    }
    return message;
  }

  private static final class Message extends ByteArrayInputStream
      implements KnownLength, Drainable {
    Message(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
