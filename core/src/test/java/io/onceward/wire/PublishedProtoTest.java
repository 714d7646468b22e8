package io.onceward.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.onceward.ClientKind;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The bytes are Protocol Buffers, and the ones that the published file describes. */
class PublishedProtoTest {
  private static final int ROUNDS = 2_000;

  private static FileDescriptor file;

  @BeforeAll
  static void readTheFile() throws Exception {
    file = PublishedProto.read();
  }

  @Test
  void fileNamesServiceAndMethod() {
    assertThat(file.getServices())
        .singleElement()
        .satisfies(
            service -> {
              assertThat(service.getFullName()).isEqualTo(Wire.SERVICE);
              assertThat(service.getMethods())
                  .singleElement()
                  .satisfies(
                      method -> {
                        assertThat(method.getName()).isEqualTo(Wire.METHOD);
                        assertThat(method.getInputType().getName()).isEqualTo("Questions");
                        assertThat(method.getOutputType().getName()).isEqualTo("Answers");
                      });
            });
  }

  @Test
  void everyQuestionIsAsTheFileDescribes() throws Exception {
    RandomConversation conversation = new RandomConversation(1);
    for (int i = 0; i < ROUNDS; i++) {
      List<Questions.Asked> asked = conversation.asked(i % 4);
      byte[] bytes = Questions.encode(asked);
      DynamicMessage message = understood("Questions", bytes);
      assertThat(QuestionsTest.heard(message.toByteArray())).isEqualTo(asked);
    }
  }

  @Test
  void everyAnswerIsAsTheFileDescribes() throws Exception {
    RandomConversation conversation = new RandomConversation(2);
    for (int i = 0; i < ROUNDS; i++) {
      List<Answers.Given> given = conversation.given(i % 4);
      byte[] bytes = Answers.encode(given);
      DynamicMessage message = understood("Answers", bytes);
      assertThat(AnswersTest.heard(message.toByteArray())).isEqualTo(given);
    }
  }

  @Test
  void everyFieldOfTheFileIsWritten() throws Exception {
    TreeSet<String> seen = new TreeSet<>();
    RandomConversation conversation = new RandomConversation(3);
    for (int i = 0; i < ROUNDS; i++) {
      collect(understood("Questions", Questions.encode(conversation.asked(3))), seen);
      collect(understood("Answers", Answers.encode(conversation.given(3))), seen);
    }
    collect(understood("Answers", Answers.encode(Timing.INITIAL)), seen);
    TreeSet<String> described = new TreeSet<>();
    for (Descriptor message : file.getMessageTypes()) {
      message.getFields().forEach(field -> described.add(field.getFullName()));
    }
    assertThat(seen).isEqualTo(described);
  }

  /** Looks with nothing but numbers and wire types, so that no descriptor can hide a mistake. */
  @Test
  void numbersAndWireTypesAreThoseOfTheFile() throws Exception {
    RandomConversation conversation = new RandomConversation(4);
    for (int i = 0; i < ROUNDS; i++) {
      compare(
          UnknownFieldSet.parseFrom(Questions.encode(conversation.asked(3))),
          file.findMessageTypeByName("Questions"));
      compare(
          UnknownFieldSet.parseFrom(Answers.encode(conversation.given(3))),
          file.findMessageTypeByName("Answers"));
    }
    compare(
        UnknownFieldSet.parseFrom(Answers.encode(Timing.INITIAL)),
        file.findMessageTypeByName("Answers"));
  }

  private static void compare(UnknownFieldSet fields, Descriptor message) throws Exception {
    for (Map.Entry<Integer, UnknownFieldSet.Field> entry : fields.asMap().entrySet()) {
      FieldDescriptor described = message.findFieldByNumber(entry.getKey());
      assertThat(described).as("%s in %s", entry.getKey(), message.getName()).isNotNull();
      UnknownFieldSet.Field field = entry.getValue();
      int values =
          switch (described.getType()) {
            case FIXED64 -> field.getFixed64List().size();
            case BYTES, STRING, MESSAGE -> field.getLengthDelimitedList().size();
            default -> field.getVarintList().size();
          };
      int all =
          field.getFixed64List().size()
              + field.getLengthDelimitedList().size()
              + field.getVarintList().size()
              + field.getFixed32List().size()
              + field.getGroupList().size();
      assertThat(values).as(described.getFullName()).isEqualTo(all).isPositive();
      if (described.getType() == FieldDescriptor.Type.MESSAGE) {
        for (com.google.protobuf.ByteString nested : field.getLengthDelimitedList()) {
          compare(UnknownFieldSet.parseFrom(nested), described.getMessageType());
        }
      }
    }
  }

  @Test
  void enumsHaveTheNumbersOfTheirCodes() {
    assertThat(names("KeyKind")).isEqualTo(prefixed("KEY_KIND_", Key.Kind.values()));
    assertThat(names("ReplyKind")).isEqualTo(prefixed("REPLY_KIND_", Reply.Kind.values()));
    assertThat(names("ClientKind")).isEqualTo(prefixed("CLIENT_KIND_", ClientKind.values()));
    assertThat(names("Refusal")).isEqualTo(prefixed("REFUSAL_", Refusal.values()));
    List<String> executed = prefixed("EXECUTED_", Refusal.Executed.values());
    executed.add(0, "EXECUTED_AS_A_RULE");
    assertThat(names("Executed")).isEqualTo(executed);
  }

  private static List<String> names(String type) {
    List<String> names = new ArrayList<>();
    for (EnumValueDescriptor value : file.findEnumTypeByName(type).getValues()) {
      assertThat(value.getNumber()).isEqualTo(names.size());
      names.add(value.getName());
    }
    return names;
  }

  private static List<String> prefixed(String prefix, Enum<?>[] values) {
    List<String> names = new ArrayList<>();
    for (Enum<?> value : values) {
      names.add(prefix + value.name());
    }
    return names;
  }

  /** Read by the library, with no field left that the file does not describe. */
  private static DynamicMessage understood(String type, byte[] bytes) throws Exception {
    DynamicMessage message = DynamicMessage.parseFrom(file.findMessageTypeByName(type), bytes);
    requireKnown(message);
    return message;
  }

  private static void requireKnown(Message message) {
    assertThat(message.getUnknownFields().asMap()).isEmpty();
    for (Object value : message.getAllFields().values()) {
      for (Object each : value instanceof List<?> list ? list : List.of(value)) {
        if (each instanceof Message nested) {
          requireKnown(nested);
        }
      }
    }
  }

  private static void collect(Message message, TreeSet<String> seen) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              seen.add(field.getFullName());
              for (Object each : value instanceof List<?> list ? list : List.of(value)) {
                if (each instanceof Message nested) {
                  collect(nested, seen);
                }
              }
            });
  }
}
