package io.onceward.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fields of an encoded message in the order of their numbers, those of one number as they
 * stood. Encoders write the fields that they know in this order and all others behind them, so that
 * the bytes of a message would depend on which fields this release happens to know.
 */
final class FieldOrder {
  private record Field(int number, int from, int to) {}

  private final byte[] bytes;

  private FieldOrder(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Orders the fields in place; those of messages within it too, as far as their types are known.
   *
   * @param type null if it is not known
   * @throws IOException if that is no message
   */
  static void sort(byte[] message, @Nullable Descriptor type) throws IOException {
    new FieldOrder(message).sort(0, message.length, type);
  }

  private void sort(int from, int to, @Nullable Descriptor type) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
    List<Field> fields = new ArrayList<>();
    boolean sorted = true;
    int last = 0;
    while (!in.isAtEnd()) {
      int begin = from + in.getTotalBytesRead();
      int tag = in.readTag();
      int number = WireFormat.getTagFieldNumber(tag);
      int tagBytes = from + in.getTotalBytesRead() - begin;
      int wireType = WireFormat.getTagWireType(tag);
      Descriptor inner = messageIn(type, number);
      if (inner != null && wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int length = in.readRawVarint32();
        int content = from + in.getTotalBytesRead();
        in.skipRawBytes(length);
        sort(content, content + length, inner);
      } else {
        in.skipField(tag);
        if (inner != null && wireType == WireFormat.WIRETYPE_START_GROUP) {
          // Between two tags of one length.
          sort(begin + tagBytes, from + in.getTotalBytesRead() - tagBytes, inner);
        }
      }
      fields.add(new Field(number, begin, from + in.getTotalBytesRead()));
      sorted &= number >= last;
      last = number;
    }
    if (!sorted) {
      write(fields, from, to);
    }
  }

  private static @Nullable Descriptor messageIn(@Nullable Descriptor type, int number) {
    FieldDescriptor field = type == null ? null : type.findFieldByNumber(number);
    return field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        ? field.getMessageType()
        : null;
  }

  private void write(List<Field> fields, int from, int to) {
    byte[] ordered = new byte[to - from];
    int at = 0;
    fields.sort(Comparator.comparingInt(Field::number));
    for (Field field : fields) {
      int length = field.to() - field.from();
      System.arraycopy(bytes, field.from(), ordered, at, length);
      at += length;
    }
    System.arraycopy(ordered, 0, bytes, from, ordered.length);
  }
}
