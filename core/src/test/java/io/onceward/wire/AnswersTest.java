package io.onceward.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswersTest {

  static List<Answers.Given> heard(byte[] message) {
    List<Answers.Given> given = new ArrayList<>();
    Answers.decode(message, (ticket, answer) -> given.add(new Answers.Given(ticket, answer)));
    return given;
  }

  @Test
  void everyKindComesBackAsItWas() {
    RandomConversation conversation = new RandomConversation(1);
    List<Answers.Given> given = conversation.given(20_000);
    assertThat(heard(Answers.encode(given))).isEqualTo(given);
    for (Class<?> kind : Answer.class.getPermittedSubclasses()) {
      assertThat(given).anyMatch(each -> kind.isInstance(each.answer()));
    }
    for (Class<?> kind : Decision.class.getPermittedSubclasses()) {
      assertThat(decisions(given)).anyMatch(kind::isInstance);
    }
    for (Class<?> kind : Outcome.class.getPermittedSubclasses()) {
      assertThat(outcomes(given)).anyMatch(kind::isInstance);
    }
  }

  private static Stream<Decision> decisions(List<Answers.Given> given) {
    return given.stream()
        .filter(each -> each.answer() instanceof Answer.Decided)
        .map(each -> ((Answer.Decided) each.answer()).decision());
  }

  private static Stream<Outcome> outcomes(List<Answers.Given> given) {
    return given.stream()
        .filter(each -> each.answer() instanceof Answer.OutcomeTold)
        .map(each -> ((Answer.OutcomeTold) each.answer()).outcome());
  }

  @Test
  void layoutIsAsPublished() {
    Decision replied = new Decision.Replied(Reply.businessError("no"), true, 300, 2);
    assertThat(hexOf(300, new Answer.Decided(replied, 5)))
        .isEqualTo(
            "0a1d"
                + "08ac02"
                + "1218"
                + "090500000000000000"
                + "120d"
                + "0801"
                + "12026e6f"
                + "18ac02"
                + "2002"
                + "2801");
    assertThat(hexOf(1, new Answer.Decided(new Decision.Refused(Refusal.NO_SESSION), 0)))
        .isEqualTo("0a0a" + "0801" + "1206" + "2204" + "0807" + "1803");
    assertThat(hexOf(1, new Answer.SessionTold(null, 0))).isEqualTo("0a04" + "0801" + "2200");
    assertThat(hexOf(1, new Answer.NotLeader("a:1")))
        .isEqualTo("0a09" + "0801" + "5205" + "0a03613a31");
  }

  private static List<Timing> timings(byte[] message) {
    List<Timing> timings = new ArrayList<>();
    Answers.decode(
        message,
        new Answers.Sink() {
          @Override
          public void given(long ticket, Answer answer) {}

          @Override
          public void timing(Timing timing) {
            timings.add(timing);
          }
        });
    return timings;
  }

  @Test
  void timingComesBesideTheAnswers() {
    Timing timing = new Timing(300, 1, 1L << 40);
    Answers.Writer writer = new Answers.Writer();
    writer.add(timing);
    writer.add(7, new Answer.NotLeader("a:1"));
    byte[] message = writer.take().toArray();
    assertThat(HexFormat.of().formatHex(message))
        .startsWith("120c" + "08ac02" + "1001" + "188080808080" + "20");
    assertThat(timings(message)).containsExactly(timing);
    assertThat(heard(message)).containsExactly(given(7, new Answer.NotLeader("a:1")));
  }

  /** A client that believed it would speak without end, or overflow its clock. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1200",
        "1204 08011001",
        "1206 080010011801",
        "120f 08ffffffffffffffffff0110011801",
        "120e 08ffffffffffffffff7f10011801"
      })
  void timingThatCannotBeTrueIsNotTold(String hex) {
    assertThat(timings(HexFormat.of().parseHex(hex.replace(" ", "")))).isEmpty();
  }

  @Test
  void replyIsAViewIntoTheMessage() {
    Decision replied = new Decision.Replied(Reply.ok(Bytes.utf8("a")), false, 0, 0);
    byte[] message = Answers.encode(List.of(given(1, new Answer.Decided(replied, 5))));
    Decision read = ((Answer.Decided) heard(message).get(0).answer()).decision();
    Bytes bytes = ((Decision.Replied) read).reply().bytes();
    for (int i = 0; i < message.length; i++) {
      message[i] = message[i] == 'a' ? (byte) 'b' : message[i];
    }
    assertThat(bytes.asText()).isEqualTo("b");
  }

  @Test
  void replyIsWrittenTheSameWithoutTheObjectAroundIt() {
    Answers.Writer writer = new Answers.Writer();
    Decision.Replied replied = new Decision.Replied(Reply.ok("yes"), false, 9, 1_000);
    writer.addReplied(4, replied, 5);
    assertThat(writer.take().toArray())
        .isEqualTo(Answers.encode(List.of(given(4, new Answer.Decided(replied, 5)))));
  }

  @Test
  void largeReplyMakesTheWriterGrow() {
    Reply reply = Reply.ok(Bytes.of(new byte[8 << 20]));
    List<Answers.Given> given =
        Collections.nCopies(
            3, given(1, new Answer.Decided(new Decision.Replied(reply, false, 1, 1), 1)));
    assertThat(heard(Answers.encode(given))).isEqualTo(given);
  }

  @Test
  void writerFillsOneMessageAfterAnother() {
    Answers.Writer writer = new Answers.Writer();
    RandomConversation conversation = new RandomConversation(5);
    for (int i = 0; i < 50; i++) {
      assertThat(writer.isEmpty()).isTrue();
      List<Answers.Given> given = conversation.given(1 + i * 7);
      given.forEach(each -> writer.add(each.ticket(), each.answer()));
      assertThat(writer.isEmpty()).isFalse();
      int length = writer.bytes();
      assertThat(writer.written().toArray()).hasSize(length).isEqualTo(Answers.encode(given));
      assertThat(writer.take().toArray()).hasSize(length).isEqualTo(Answers.encode(given));
    }
  }

  /** Asking again is always allowed, and concluding anything from such an answer never. */
  @ParameterizedTest
  @CsvSource({
    "0a00, 0, the answer says nothing",
    "0a0408077a00, 7, the answer is of a kind that is unknown to this build",
    "0a0608071202 7a00, 7, the answer is of a kind that is unknown to this build",
    "0a0608071a02 7a00, 7, the answer is of a kind that is unknown to this build",
    "0a0808071204 2202 080e, 7, refusal 14 is unknown; 0 to 13 are allowed",
    "0a0a1206 2202080e 3200 0807, 7, refusal 14 is unknown; 0 to 13 are allowed",
    "0a0808071204 2202 1804, 7, whether it executed is told as 4; 0 to 3 are allowed",
    "0a0612042202 1804, 0, whether it executed is told as 4; 0 to 3 are allowed",
    "0a0808071204 1202 0804, 7, reply kind 4 is unknown; 0 to 3 are allowed"
  })
  void answerOfALaterBuildIsUnknown(String hex, long ticket, String reason) {
    byte[] message = HexFormat.of().parseHex(hex.replace(" ", ""));
    message[1] = (byte) (message.length - 2);
    assertThat(heard(message)).containsExactly(given(ticket, new Answer.Unknown(reason)));
  }

  @Test
  void refusalThatLeavesOutWhetherItExecutedMeansItsRule() {
    for (Refusal refusal : Refusal.values()) {
      byte[] message = {0x0a, 6, 0x12, 4, 0x22, 2, 8, (byte) refusal.code()};
      assertThat(heard(message))
          .containsExactly(given(0, new Answer.Decided(new Decision.Refused(refusal), 0)));
    }
  }

  @Test
  void unknownFieldsAreSkipped() {
    assertThat(
            heard(
                HexFormat.of()
                    .parseHex("7a0161" + "0a0b" + "0807" + "a00601" + "1a04" + "2a00" + "7801")))
        .containsExactly(given(7, new Answer.OutcomeTold(new Outcome.NeverSeen())));
  }

  @Test
  void damageIsToldByPlaceAndReason() {
    assertThatThrownBy(() -> heard(HexFormat.of().parseHex("0a0412031202")))
        .isInstanceOf(DamagedException.class)
        .hasMessage("message of answers is damaged at byte 3: 3 bytes should follow, 2 are left");
  }

  @Test
  void changedMessagesAreReadOrRefusedButNothingElse() {
    RandomConversation conversation = new RandomConversation(6);
    Mutilation mutilation = new Mutilation(7);
    for (int i = 0; i < 30_000; i++) {
      byte[] message = Answers.encode(conversation.given(1 + i % 3));
      mutilation.check(message, changed -> heard(changed));
    }
    mutilation.requireBothKindsOfEnd();
  }

  @Test
  void everyTruncationIsReadOrRefused() {
    RandomConversation conversation = new RandomConversation(8);
    for (int i = 0; i < 300; i++) {
      Mutilation.checkTruncations(Answers.encode(conversation.given(2)), cut -> heard(cut));
    }
  }

  private static Answers.Given given(long ticket, Answer answer) {
    return new Answers.Given(ticket, answer);
  }

  private static String hexOf(long ticket, Answer answer) {
    return HexFormat.of().formatHex(Answers.encode(List.of(given(ticket, answer))));
  }
}
