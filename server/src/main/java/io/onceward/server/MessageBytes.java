package io.onceward.server;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.onceward.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Function;

/**
 * Hands messages to gRPC as they are: the wire codec has already made bytes of them. One copy each
 * way, which is made before a message counts as sent.
 */
final class MessageBytes extends InputStream implements KnownLength, Drainable {
  /** For questions, whose parts are views into them. */
  static final MethodDescriptor.Marshaller<byte[]> ARRAYS = marshaller(Bytes::of, array -> array);

  /** For answers, which are views into who wrote them. */
  static final MethodDescriptor.Marshaller<Bytes> VIEWS = marshaller(view -> view, Bytes::of);

  private Bytes rest;

  private MessageBytes(Bytes message) {
    rest = message;
  }

  private static <T> MethodDescriptor.Marshaller<T> marshaller(
      Function<T, Bytes> toBytes, Function<byte[], T> fromArray) {
    return new MethodDescriptor.Marshaller<>() {
      @Override
      public InputStream stream(T message) {
        return new MessageBytes(toBytes.apply(message));
      }

      @Override
      public T parse(InputStream stream) {
        try {
          return fromArray.apply(read(stream));
        } catch (IOException problem) {
          throw new UncheckedIOException(problem);
        }
      }
    };
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
  public int available() {
    return rest.length();
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int drained = rest.length();
    rest.writeTo(target);
    rest = Bytes.EMPTY;
    return drained;
  }

  /** Nobody reads what can be drained, but anybody may. */
  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length > 0 && rest.length() == 0) {
      return -1;
    }
    int count = Math.min(length, rest.length());
    rest.slice(0, count).copyTo(target, offset);
    rest = rest.slice(count, rest.length() - count);
    return count;
  }
}
