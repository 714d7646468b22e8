package io.onceward.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionsTest {

  /** Remembers what it was told; an unknown question as a ticket and a reason. */
  private static final class Ear implements Questions.Sink {
    final List<Questions.Asked> asked = new ArrayList<>();
    final List<String> unknown = new ArrayList<>();

    @Override
    public void asked(long ticket, Question question) {
      asked.add(new Questions.Asked(ticket, question));
    }

    @Override
    public void unknown(long ticket, String reason) {
      unknown.add(ticket + ": " + reason);
    }
  }

  static List<Questions.Asked> heard(byte[] message) {
    Ear ear = new Ear();
    Questions.decode(message, ear);
    assertThat(ear.unknown).isEmpty();
    return ear.asked;
  }

  private static List<String> unknown(String hex) {
    Ear ear = new Ear();
    Questions.decode(hex(hex), ear);
    return ear.unknown;
  }

  @Test
  void everyKindComesBackAsItWas() {
    RandomConversation conversation = new RandomConversation(1);
    List<Questions.Asked> asked = conversation.asked(20_000);
    assertThat(heard(Questions.encode(asked))).isEqualTo(asked);
    for (Class<?> kind : Question.class.getPermittedSubclasses()) {
      assertThat(asked).anyMatch(each -> kind.isInstance(each.question()));
    }
  }

  @Test
  void layoutIsAsPublished() {
    assertThat(hexOf(300, new Question.Logged(Bytes.utf8("hi"))))
        .isEqualTo("0a07" + "08ac02" + "12026869");
    Request request =
        new Request.InSession(
            new Request.Address(5, 0x70000, 0x70001),
            300,
            2,
            new Fingerprint(255),
            Bytes.utf8("hi"));
    String frame =
        "110100000000000000050000000000070000" + "01ac0202" + "00000000000000ff" + "6869";
    assertThat(hexOf(300, new Question.Logged(Bytes.of(RequestCodec.encode(request)))))
        .isEqualTo("0a25" + "08ac02" + "1220" + frame);
    assertThat(hexOf(1, new Question.OutcomeOfKey(new Scope("s"), Key.of(Key.Kind.HASH, 1, 2))))
        .isEqualTo(
            "0a1d0801"
                + "2219"
                + "0a0173"
                + "1214"
                + "0802"
                + "110100000000000000"
                + "190200000000000000");
    assertThat(hexOf(0, new Question.TakeSnapshot())).isEqualTo("0a02" + "5200");
  }

  @Test
  void frameIsAViewIntoTheMessage() {
    byte[] message = Questions.encode(List.of(asked(1, new Question.Logged(Bytes.utf8("abc")))));
    Question.Logged logged = (Question.Logged) heard(message).get(0).question();
    message[message.length - 1] = 'X';
    assertThat(logged.frame().asText()).isEqualTo("abX");
  }

  @Test
  void largestFrameFitsIntoAMessage() {
    Bytes frame = Bytes.of(new byte[Limits.FRAME_BYTES]);
    List<Questions.Asked> asked = List.of(asked(Long.MAX_VALUE, new Question.Logged(frame)));
    byte[] message = Questions.encode(asked);
    assertThat(message).hasSizeLessThan(Wire.MAX_MESSAGE_BYTES);
    assertThat(heard(message)).isEqualTo(asked);
  }

  @Test
  void writerFillsOneMessageAfterAnother() {
    Questions.Writer writer = new Questions.Writer();
    assertThat(writer.isEmpty()).isTrue();
    RandomConversation conversation = new RandomConversation(5);
    for (int i = 0; i < 50; i++) {
      List<Questions.Asked> asked = conversation.asked(1 + i * 7);
      int before = 0;
      for (Questions.Asked each : asked) {
        writer.add(each.ticket(), each.question());
        assertThat(writer.bytes()).isGreaterThan(before);
        before = writer.bytes();
      }
      assertThat(writer.isEmpty()).isFalse();
      byte[] message = writer.take();
      assertThat(message).hasSize(before).isEqualTo(Questions.encode(asked));
      assertThat(writer.bytes()).isZero();
      assertThat(writer.isEmpty()).isTrue();
    }
    assertThat(writer.take()).isEmpty();
  }

  @Test
  void emptyMessageAsksNothing() {
    assertThat(heard(new byte[0])).isEmpty();
  }

  @Test
  void ticketMayFollowTheQuestion() {
    assertThat(heard(hex("0a06" + "12026869" + "0805")))
        .containsExactly(asked(5, new Question.Logged(Bytes.utf8("hi"))));
  }

  @Test
  void absentFieldsHaveTheirDefaults() {
    assertThat(heard(hex("0a02" + "4a00"))).containsExactly(asked(0, new Question.Status(false)));
    assertThat(heard(hex("0a02" + "2200")))
        .containsExactly(
            asked(0, new Question.OutcomeOfKey(Scope.NONE, Key.of(Key.Kind.UUID, 0, 0))));
  }

  /** Fields of every wire type at every level, as a later build might add them. */
  @Test
  void unknownFieldsAreSkipped() {
    String later = "a00607" + "a1060000000000000000" + "a2060161" + "a50600000000";
    String status = "4a" + length("0801" + later) + "0801" + later;
    String asked = "0807" + later + status;
    assertThat(heard(hex(later + "0a" + length(asked) + asked + later)))
        .containsExactly(asked(7, new Question.Status(true)));
  }

  @Test
  void knownFieldOfAnotherWireTypeIsSkipped() {
    assertThat(heard(hex("0a06" + "0807" + "1005" + "5200")))
        .containsExactly(asked(7, new Question.TakeSnapshot()));
  }

  @ParameterizedTest
  @CsvSource({
    "0a00, 0: it asks nothing",
    "0a020807, 7: it asks nothing",
    "0a0508077a0161, 7: questions of kind 15 are unknown to this build",
    "0a050a03080102, 0: questions of kind 1 are unknown to this build",
    "0a0608072a020803, 7: client kind 3 is unknown; 0 to 2 are allowed",
    "0a0a08072a06088080808010, 7: client kind -1 is unknown; 0 to 2 are allowed",
    "0a062a0208030807, 7: client kind 3 is unknown; 0 to 2 are allowed",
    "0a0b2207120208040a01610807, '7: no kind of key has the code 4; allowed are 0 (UUID), 1"
        + " (DATED), 2 (HASH) and 3 (TEXT)'",
    "0a0808072204120208 04, '7: no kind of key has the code 4; allowed are 0 (UUID), 1 (DATED), 2"
        + " (HASH) and 3 (TEXT)'"
  })
  void questionThatThisBuildCannotAnswerIsTold(String hex, String told) {
    assertThat(unknown(hex.replace(" ", ""))).containsExactly(told);
  }

  @Test
  void scopeOverItsLimitConcernsOneQuestionOnly() {
    Ear ear = new Ear();
    String scope = "61".repeat(129);
    String outcome = "0a" + length(scope) + scope;
    String asked = "0801" + "22" + length(outcome) + outcome;
    Questions.decode(hex("0a" + length(asked) + asked + "0a04" + "0802" + "5200"), ear);
    assertThat(ear.unknown)
        .singleElement()
        .asString()
        .startsWith("1: the name of a scope may take at most 128 bytes in UTF-8, got 129");
    assertThat(ear.asked).containsExactly(asked(2, new Question.TakeSnapshot()));
  }

  @ParameterizedTest
  @CsvSource({
    "80,                       0, a varint is cut off",
    "0a,                       1, a varint is cut off",
    "0a01,                     1, '1 bytes should follow, 0 are left'",
    "0affffffffffffffffff01,   1, '18446744073709551615 bytes should follow, 0 are left'",
    "ffffffffffffffffffff01,   0, a varint has more than 64 bits",
    "ffffffffffffffffff02,     0, a varint has more than 64 bits",
    "00,                       0, no field has the tag 0",
    "07,                       0, no field has the tag 7",
    "8080808010,               0, no field has the tag 4294967296",
    "0b,                       1, field 1 has the wire type 3",
    "0c,                       1, field 1 has the wire type 4",
    "0e,                       1, field 1 has the wire type 6",
    "09 00000000000000,        1, '8 bytes should follow, 7 are left'",
    "0d 000000,                1, '4 bytes should follow, 3 are left'",
    "0a05 0801 12 02 61,       5, '2 bytes should follow, 1 are left'",
    "0a05 5a03 0a 01 ff,       5, a text is not UTF-8",
    "0a06 5a04 0a 02 c080,     5, a text is not UTF-8",
    "0a05 2203 1201 11,        7, '8 bytes should follow, 0 are left'"
  })
  void damageIsToldByPlaceAndReason(String hex, int offset, String reason) {
    assertThatThrownBy(() -> Questions.decode(hex(hex.replace(" ", "")), new Ear()))
        .isInstanceOfSatisfying(
            DamagedException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.offset()).isEqualTo(offset);
              assertThat(e).hasMessageStartingWith("message of questions is damaged");
            });
  }

  @Test
  void changedMessagesAreReadOrRefusedButNothingElse() {
    RandomConversation conversation = new RandomConversation(6);
    Mutilation mutilation = new Mutilation(7);
    for (int i = 0; i < 30_000; i++) {
      byte[] message = Questions.encode(conversation.asked(1 + i % 3));
      mutilation.check(message, changed -> Questions.decode(changed, new Ear()));
    }
    mutilation.requireBothKindsOfEnd();
  }

  @Test
  void everyTruncationIsReadOrRefused() {
    RandomConversation conversation = new RandomConversation(8);
    for (int i = 0; i < 300; i++) {
      Mutilation.checkTruncations(
          Questions.encode(conversation.asked(2)), cut -> Questions.decode(cut, new Ear()));
    }
  }

  private static Questions.Asked asked(long ticket, Question question) {
    return new Questions.Asked(ticket, question);
  }

  private static String hexOf(long ticket, Question question) {
    return HexFormat.of().formatHex(Questions.encode(List.of(asked(ticket, question))));
  }

  private static String length(String hex) {
    int length = hex.length() / 2;
    return length < 128
        ? String.format("%02x", length)
        : String.format("%02x%02x", length & 0x7f | 0x80, length >> 7);
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
