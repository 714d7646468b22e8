package io.onceward.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Protobuf messages are the same whatever order their maps are written in. */
class MessageContentTest {
  private static final MethodDescriptor<Struct, Struct> METHOD =
      MethodDescriptor.<Struct, Struct>newBuilder(new Structs(), new Structs())
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Orders/Place")
          .build();

  /** The order of its fields is the one in which a client in another language happens to write. */
  private static Struct struct(List<String> names, Value value) {
    Struct.Builder struct = Struct.newBuilder();
    names.forEach(name -> struct.putFields(name, value));
    return struct.build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static byte[] content(Message message) throws InvalidProtocolBufferException {
    // As it arrives.
    return MessageContent.of(METHOD, Struct.parseFrom(message.toByteString()));
  }

  @Test
  void theOrderOfMapEntriesDoesNotCount() throws Exception {
    List<String> names = new ArrayList<>(List.of("amount", "currency", "to", "from", "memo"));
    Struct inner = struct(names, number(1));
    byte[] expected = content(struct(names, Value.newBuilder().setStructValue(inner).build()));
    boolean differed = false;
    Random random = new Random(4711);
    for (int i = 0; i < 50; i++) {
      Collections.shuffle(names, random);
      Struct shuffled =
          struct(names, Value.newBuilder().setStructValue(struct(names, number(1))).build());
      differed |= !java.util.Arrays.equals(shuffled.toByteArray(), expected);
      assertThat(content(shuffled)).isEqualTo(expected);
    }
    assertThat(differed).as("on the wire they are different").isTrue();
  }

  @Test
  void theContentOfAMapCounts() throws Exception {
    byte[] one = content(struct(List.of("a", "b"), number(1)));
    assertThat(content(struct(List.of("a", "b"), number(2)))).isNotEqualTo(one);
    assertThat(content(struct(List.of("a", "c"), number(1)))).isNotEqualTo(one);
    assertThat(content(struct(List.of("a"), number(1)))).isNotEqualTo(one);
  }

  @Test
  void fieldsThatThisServerDoesNotKnowCount() throws Exception {
    Struct known = struct(List.of("a"), number(1));
    Struct more =
        Struct.parseFrom(known.toByteString().concat(ByteString.copyFrom(new byte[] {0x50, 0x07})));
    assertThat(content(more)).isNotEqualTo(content(known));
  }

  /** An order, and in it a place, of a release that knows some of their fields. */
  private static Descriptor release(int... known) throws DescriptorValidationException {
    DescriptorProto.Builder place = DescriptorProto.newBuilder().setName("Place");
    DescriptorProto.Builder order = DescriptorProto.newBuilder().setName("Order");
    for (int number : known) {
      FieldDescriptorProto.Builder text =
          FieldDescriptorProto.newBuilder()
              .setName("f" + number)
              .setNumber(number)
              .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
              .setType(FieldDescriptorProto.Type.TYPE_STRING);
      place.addField(text);
      order.addField(
          number == 3
              ? text.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName("Place")
              : text);
    }
    return FileDescriptor.buildFrom(
            FileDescriptorProto.newBuilder()
                .setName("orders.proto")
                .setSyntax("proto3")
                .addMessageType(place)
                .addMessageType(order)
                .build(),
            new FileDescriptor[0])
        .findMessageTypeByName("Order");
  }

  /** A retry may come when the next release is there, which knows more fields, or fewer. */
  @Test
  void itDoesNotDependOnTheFieldsThatThisReleaseKnows() throws Exception {
    Descriptor all = release(1, 2, 3, 4);
    Descriptor placeType = all.getFile().findMessageTypeByName("Place");
    DynamicMessage.Builder place = DynamicMessage.newBuilder(placeType);
    DynamicMessage.Builder order = DynamicMessage.newBuilder(all);
    for (int number : new int[] {1, 2, 4}) {
      place.setField(placeType.findFieldByNumber(number), "place " + number);
      order.setField(all.findFieldByNumber(number), "order " + number);
    }
    order.setField(all.findFieldByNumber(3), place.build());
    ByteString sent = order.build().toByteString();
    byte[] expected = sent.toByteArray();
    for (int[] known : new int[][] {{1, 2, 3, 4}, {1, 3, 4}, {3, 4}, {4}, {2}, {}}) {
      DynamicMessage arrived = DynamicMessage.parseFrom(release(known), sent);
      assertThat(MessageContent.of(null, arrived)).as(known.length + " known").isEqualTo(expected);
    }
  }

  @Test
  void theOrderWithinARepeatedFieldCounts() throws Exception {
    ByteString one = ByteString.copyFrom(new byte[] {0x50, 0x07, 0x50, 0x08});
    ByteString other = ByteString.copyFrom(new byte[] {0x50, 0x08, 0x50, 0x07});
    assertThat(content(Struct.parseFrom(one))).isNotEqualTo(content(Struct.parseFrom(other)));
  }

  private static final class Structs implements MethodDescriptor.Marshaller<Struct> {
    @Override
    public InputStream stream(Struct struct) {
      return new ByteArrayInputStream(struct.toByteArray());
    }

    @Override
    public Struct parse(InputStream stream) {
      try {
        return Struct.parseFrom(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
