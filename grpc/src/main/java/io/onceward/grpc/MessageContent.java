package io.onceward.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The bytes that stand for a message where it is compared with a retry. Protobuf leaves the order
 * of map entries to whoever encodes, and some languages draw it anew for each copy; so its messages
 * are written in the one form that sorts them, with their {@linkplain FieldOrder fields in order}.
 * Others are taken as their marshaller writes them.
 */
final class MessageContent {
  private static final boolean PROTOBUF = isPresent("com.google.protobuf.MessageLite");

  private MessageContent() {}

  static <Q> byte[] of(MethodDescriptor<Q, ?> method, Q message) {
    return PROTOBUF && Protobuf.isMessage(message)
        ? Protobuf.bytes(message)
        : read(method.streamRequest(message));
  }

  static byte[] read(InputStream stream) {
    try (stream) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("a message could not be read back", e);
    }
  }

  private static boolean isPresent(String name) {
    try {
      Class.forName(name, false, MessageContent.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Apart, because services without Protobuf do not have its classes. */
  private static final class Protobuf {
    private Protobuf() {}

    static boolean isMessage(Object message) {
      return message instanceof MessageLite;
    }

    static byte[] bytes(Object message) {
      MessageLite lite = (MessageLite) message;
      byte[] bytes = new byte[lite.getSerializedSize()];
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.useDeterministicSerialization();
      try {
        lite.writeTo(out);
        out.checkNoSpaceLeft();
        FieldOrder.sort(bytes, lite instanceof Message full ? full.getDescriptorForType() : null);
      } catch (IOException e) {
        throw new UncheckedIOException("a message could not be written", e);
      }
      return bytes;
    }
  }
}
