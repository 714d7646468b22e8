package io.onceward.wire;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code onceward.proto} into descriptors, which the library then checks as a compiler would:
 * that types exist, names and numbers are unique, enums begin with 0. It understands the part of
 * the language that the file uses and refuses every other line.
 */
final class PublishedProto {
  private static final Pattern SYNTAX = Pattern.compile("syntax = \"(proto3)\";");
  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern MESSAGE = Pattern.compile("message (\\w+) \\{(})?");
  private static final Pattern ONEOF = Pattern.compile("oneof (\\w+) \\{");
  private static final Pattern ENUM = Pattern.compile("enum (\\w+) \\{");
  private static final Pattern SERVICE = Pattern.compile("service (\\w+) \\{");
  private static final Pattern RPC =
      Pattern.compile("rpc (\\w+)\\(stream (\\w+)\\) returns \\(stream (\\w+)\\);");
  private static final Pattern FIELD = Pattern.compile("(repeated )?(\\w+) (\\w+) = (\\d+);");
  private static final Pattern VALUE = Pattern.compile("([A-Z_]+) = (\\d+);");
  private static final Pattern SCALAR =
      Pattern.compile("bool|bytes|string|fixed64|int64|uint32|uint64");

  private final FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
  private final Deque<Object> open = new ArrayDeque<>();

  static FileDescriptor read() throws IOException, DescriptorValidationException {
    String text;
    try (InputStream in = Wire.class.getResourceAsStream("onceward.proto")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    PublishedProto proto = new PublishedProto();
    text.lines()
        .map(line -> line.replaceFirst("//.*", "").strip())
        .filter(line -> !line.isEmpty())
        .forEach(proto::line);
    if (!proto.open.isEmpty()) {
      throw new AssertionError("a brace is missing at the end");
    }
    return FileDescriptor.buildFrom(proto.file.build(), new FileDescriptor[0]);
  }

  private void line(String line) {
    Object block = open.peek();
    if (line.equals("}")) {
      open.pop();
    } else if (block == null) {
      outside(line);
    } else if (block instanceof ServiceDescriptorProto.Builder service) {
      Matcher rpc = matched(RPC, line);
      service.addMethod(
          MethodDescriptorProto.newBuilder()
              .setName(rpc.group(1))
              .setInputType(typeName(rpc.group(2)))
              .setOutputType(typeName(rpc.group(3)))
              .setClientStreaming(true)
              .setServerStreaming(true));
    } else if (block instanceof EnumDescriptorProto.Builder values) {
      Matcher value = matched(VALUE, line);
      values.addValue(
          EnumValueDescriptorProto.newBuilder()
              .setName(value.group(1))
              .setNumber(Integer.parseInt(value.group(2))));
    } else if (block instanceof Oneof oneof) {
      oneof.message.addField(field(matched(FIELD, line)).setOneofIndex(oneof.index));
    } else if (block instanceof DescriptorProto.Builder message && line.startsWith("oneof ")) {
      message.addOneofDecl(
          OneofDescriptorProto.newBuilder().setName(matched(ONEOF, line).group(1)));
      open.push(new Oneof(message, message.getOneofDeclCount() - 1));
    } else if (block instanceof DescriptorProto.Builder message) {
      message.addField(field(matched(FIELD, line)));
    }
  }

  private void outside(String line) {
    switch (line.substring(0, line.indexOf(' '))) {
      case "syntax" -> file.setSyntax(matched(SYNTAX, line).group(1)).setName("onceward.proto");
      case "package" -> file.setPackage(matched(PACKAGE, line).group(1));
      case "enum" -> open.push(file.addEnumTypeBuilder().setName(matched(ENUM, line).group(1)));
      case "service" ->
          open.push(file.addServiceBuilder().setName(matched(SERVICE, line).group(1)));
      default -> {
        Matcher message = matched(MESSAGE, line);
        DescriptorProto.Builder type = file.addMessageTypeBuilder().setName(message.group(1));
        if (message.group(2) == null) {
          open.push(type);
        }
      }
    }
  }

  private static Matcher matched(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("not understood: " + line);
    }
    return matcher;
  }

  private record Oneof(DescriptorProto.Builder message, int index) {}

  private static FieldDescriptorProto.Builder field(Matcher matcher) {
    String type = matcher.group(2);
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(matcher.group(3))
            .setNumber(Integer.parseInt(matcher.group(4)))
            .setLabel(
                matcher.group(1) == null
                    ? FieldDescriptorProto.Label.LABEL_OPTIONAL
                    : FieldDescriptorProto.Label.LABEL_REPEATED);
    return SCALAR.matcher(type).matches()
        ? field.setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)))
        : field.setTypeName(typeName(type));
  }

  private static String typeName(String type) {
    return ".onceward.v1." + type;
  }
}
