package io.onceward.client.session;

import static io.onceward.client.session.Conversation.PACE;
import static io.onceward.client.session.Conversation.open;
import static io.onceward.client.session.Conversation.replied;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.client.session.Conversation.Copy;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules C1 to C3 and S6 to S9 on an open session without a journal. */
class ClientSessionTest {

  // ---- C1 -------------------------------------------------------------------------------------

  @Test
  void withoutAnAnswerTheSameRequestIsSentAgain_C1() {
    Conversation talk = open(16);
    talk.submit("a");
    Copy first = talk.last();
    talk.pass(PACE.answerTimeoutMillis() - 10);
    assertThat(talk.takeSent()).containsExactly(first);
    talk.pass(10);
    assertThat(talk.sent).hasSize(1);
    assertThat(talk.last().request()).isEqualTo(first.request());
    assertThat(talk.last().copy()).isEqualTo(2);
  }

  static Stream<Answer> turnedAway() {
    return Stream.of(
        new Answer.NotLeader(""),
        new Answer.Unavailable("starting"),
        new Answer.Unknown("lost"),
        refused(Refusal.OVERLOADED),
        refused(Refusal.OUT_OF_ORDER),
        refused(Refusal.WINDOW_EXCEEDED),
        refused(Refusal.BAD_WATERMARK),
        refused(Refusal.FROM_THE_FUTURE));
  }

  private static Answer refused(Refusal refusal) {
    return new Answer.Decided(new Decision.Refused(refusal), Conversation.TAG);
  }

  @ParameterizedTest
  @MethodSource("turnedAway")
  void whatIsNoDecisionIsRetriedAfterAConstantDelay_C1(Answer answer) {
    Conversation talk = open(16);
    talk.submit("a");
    Request.InSession asked = talk.last().command();
    for (int round = 0; round < 30; round++) {
      talk.answer(talk.takeSent().get(0), answer);
      talk.pass(PACE.retryDelayMillis() - 10);
      assertThat(talk.sent).as("round %d", round).isEmpty();
      talk.pass(10);
      assertThat(talk.sent).as("round %d", round).hasSize(1);
      assertThat(talk.last().command()).isEqualTo(asked);
    }
    assertThat(talk.decided).isEmpty();
  }

  @Test
  void jitterComesFromOutside_C1() {
    Conversation talk = open(16);
    talk.jitterMillis = 30;
    talk.submit("a");
    talk.answer(talk.takeSent().get(0), new Answer.NotLeader(""));
    talk.pass(120);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.sent).hasSize(1);
  }

  @Test
  void aDecisionIsNeverRetriedAndIsToldOnce_C1() {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a");
    Copy copy = talk.takeSent().get(0);
    talk.reply(copy);
    talk.answer(copy, replied(true));
    talk.answer(copy, new Answer.NotLeader("n2"));
    talk.refuse(copy, Refusal.ACKNOWLEDGED);
    talk.pass(5_000);
    talk.session.rerouted(talk.now);
    assertThat(talk.sent).isEmpty();
    assertThat(talk.decided).containsOnlyKeys(request);
  }

  @Test
  void aLateTurnAwayOfAnEarlierCopyDoesNotDelayTheLatest() {
    Conversation talk = open(16);
    talk.submit("a");
    Copy first = talk.last();
    talk.session.rerouted(talk.now);
    talk.takeSent();
    talk.answer(first, new Answer.NotLeader(""));
    talk.pass(1_000);
    assertThat(talk.sent).isEmpty();
  }

  @Test
  void aDecisionAboutAnEarlierCopyCounts() {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a");
    Copy first = talk.last();
    talk.session.rerouted(talk.now);
    talk.reply(first);
    assertThat(talk.decided).containsOnlyKeys(request);
    talk.takeSent();
    talk.pass(5_000);
    assertThat(talk.sent).isEmpty();
  }

  // ---- C2 -------------------------------------------------------------------------------------

  @Test
  void theDeadlineEndsTheWaitNotTheRequest_C2() {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a", 500);
    talk.takeSent();
    talk.pass(490);
    assertThat(talk.waitsEnded).isEmpty();
    talk.pass(10);
    assertThat(talk.waitsEnded).containsExactly(request);
    talk.pass(1_500);
    assertThat(talk.waitsEnded).hasSize(1);
    assertThat(talk.takeSequences()).containsExactly(1L);
    talk.session.rerouted(talk.now);
    talk.reply(talk.last());
    assertThat(talk.decided).containsOnlyKeys(request);
  }

  @Test
  void theDeadlineAlsoEndsTheWaitOfARequestBeyondTheWindow_C2() {
    Conversation talk = open(1);
    talk.submit("a");
    SessionRequest second = talk.submit("b", 300);
    talk.pass(300);
    assertThat(talk.waitsEnded).containsExactly(second);
    talk.reply(talk.takeSent().get(0));
    assertThat(talk.takeSequences()).containsExactly(2L);
  }

  // ---- C3 -------------------------------------------------------------------------------------

  @Test
  void pipelinesUpToTheWindowAndNoFurther_C3() {
    Conversation talk = open(4);
    for (int i = 0; i < 10; i++) {
      talk.submit("x" + i);
    }
    List<Copy> first = talk.takeSent();
    assertThat(first).extracting(Copy::sequence).containsExactly(1L, 2L, 3L, 4L);
    talk.reply(first.get(1));
    assertThat(talk.sent).as("the watermark did not move").isEmpty();
    talk.reply(first.get(0));
    assertThat(talk.takeSequences()).containsExactly(5L, 6L);
  }

  @Test
  void everyCopyCarriesThePresentWatermark_C3() {
    Conversation talk = open(16);
    talk.submit("a");
    talk.submit("b");
    List<Copy> two = talk.takeSent();
    assertThat(two.get(1).command().watermark()).isEqualTo(1);
    talk.reply(two.get(0));
    talk.submit("c");
    assertThat(talk.last().command().watermark()).isEqualTo(2);
    talk.session.rerouted(talk.now);
    assertThat(talk.last().command().watermark()).isEqualTo(2);
    talk.reply(two.get(1));
    assertThat(talk.session.watermark()).isEqualTo(3);
  }

  @Test
  void anIdleSessionSaysThatItIsThereOncePerInterval_C3() {
    Conversation talk = open(16);
    talk.pass(9_990);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.last().request()).isEqualTo(new Request.KeepAlive(talk.session.address(), 1));
    talk.answer(talk.takeSent().get(0), new Decision.Done());
    talk.pass(9_990);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.sent).hasSize(1);
  }

  @Test
  void whatWasAppliedMakesAKeepAliveNeedless_C3() {
    Conversation talk = open(16);
    for (int i = 0; i < 20; i++) {
      talk.pass(5_000);
      talk.submit("x" + i);
      talk.reply(talk.last());
    }
    assertThat(talk.sent).noneMatch(copy -> copy.request() instanceof Request.KeepAlive);
  }

  @Test
  void repliesFromTheDoorDoNotKeepAlive_C3_execution15() {
    Conversation talk = open(16);
    int keepAlives = 0;
    for (int i = 0; i < 60; i++) {
      talk.pass(5_000);
      for (Copy copy : talk.takeSent()) {
        assertThat(copy.request()).isInstanceOf(Request.KeepAlive.class);
        keepAlives++;
        talk.answer(copy, new Decision.Done());
      }
      talk.submit("x" + i);
      talk.answer(talk.takeSent().get(0), replied(true));
    }
    assertThat(keepAlives).isEqualTo(30);
  }

  @Test
  void aKeepAliveIsNotTakenForLostBeforeItsAnswerCanBeThere_C3() {
    Conversation talk = open(16);
    talk.pass(10_000);
    Copy keepAlive = talk.takeSent().get(0);
    assertThat(keepAlive.asked().isPatient()).isTrue();
    talk.pass(11_990);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.takeSent()).hasSize(1);
    talk.session.rerouted(talk.now);
    assertThat(talk.sent).as("sent a moment ago").isEmpty();
    talk.now++;
    talk.session.rerouted(talk.now);
    assertThat(talk.sent).hasSize(1);
    talk.answer(talk.last(), new Answer.NotLeader(""));
    talk.takeSent();
    talk.pass(100);
    assertThat(talk.sent).hasSize(1);
  }

  // ---- C4 -------------------------------------------------------------------------------------

  @Test
  void anotherWayIsTakenAtOnceAndInSequenceOrder_C4() {
    Conversation talk = open(64);
    for (int i = 0; i < 20; i++) {
      talk.submit("x" + i);
    }
    List<Copy> first = talk.takeSent();
    talk.answer(first.get(7), new Answer.NotLeader(""));
    talk.reply(first.get(0));
    talk.reply(first.get(4));
    talk.session.rerouted(talk.now);
    assertThat(talk.takeSequences())
        .isEqualTo(LongStream.rangeClosed(2, 20).filter(s -> s != 5).boxed().toList());
  }

  // ---- S6 -------------------------------------------------------------------------------------

  @Test
  void inAnOrderedSessionWhatRestsBelowGoesAlong_S6() {
    Conversation talk = open(16);
    talk.submit("a");
    talk.submit("b");
    talk.submit("c");
    List<Copy> three = talk.takeSent();
    talk.refuse(three.get(1), Refusal.OUT_OF_ORDER);
    talk.refuse(three.get(2), Refusal.OUT_OF_ORDER);
    talk.pass(50);
    talk.answer(three.get(0), new Answer.Unavailable("busy"));
    talk.pass(50);
    assertThat(talk.takeSequences()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void inAnUnorderedSessionEachRestsForItself_S6() {
    Conversation talk = open(16, false);
    talk.submit("a");
    talk.submit("b");
    List<Copy> two = talk.takeSent();
    talk.refuse(two.get(1), Refusal.OVERLOADED);
    talk.pass(50);
    talk.refuse(two.get(0), Refusal.OVERLOADED);
    talk.pass(50);
    assertThat(talk.takeSequences()).containsExactly(2L);
    talk.pass(50);
    assertThat(talk.takeSequences()).containsExactly(1L);
  }

  @ParameterizedTest
  @EnumSource(names = {"TOO_LARGE", "MALFORMED"})
  void whatIsRefusedForGoodIsAbandonedBeforeItsCallerIsTold_S6(Refusal refusal) {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a");
    Copy copy = talk.takeSent().get(0);
    talk.answer(copy, new Decision.Refused(refusal, "command"));
    talk.refuse(copy, refusal);
    assertThat(talk.decided).isEmpty();
    assertThat(talk.sent).hasSize(1);
    assertThat(talk.last().request())
        .isEqualTo(new Request.AbandonSequence(talk.session.address(), 1));
    talk.answer(talk.last(), new Decision.Abandoned(true));
    assertThat(talk.decided)
        .containsEntry(request, new Decision.Refused(refusal, "command", Refusal.Executed.NEVER));
    assertThat(talk.session.watermark()).isEqualTo(2);
  }

  @Test
  void ifAnEarlierCopyExecutedTheCallerGetsItsReply_S6() {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a");
    talk.refuse(talk.last(), Refusal.TOO_LARGE);
    talk.answer(talk.last(), replied(true));
    assertThat(talk.decided).containsEntry(request, replied(true));
  }

  @Test
  void whatANodeRejectsIsAbandonedToo_S6() {
    Conversation talk = open(16);
    SessionRequest request = talk.submit("a");
    talk.answer(talk.last(), new Answer.Rejected("no such thing"));
    talk.answer(talk.last(), new Answer.Rejected("not even that"));
    talk.pass(100);
    talk.answer(talk.last(), new Decision.Abandoned(true));
    assertThat(talk.decided)
        .containsEntry(
            request,
            new Decision.Refused(Refusal.MALFORMED, "no such thing", Refusal.Executed.NEVER));
  }

  @Test
  void anAbandonGoesBehindTheWatermarkThatItNeeds_S6() {
    Conversation talk = open(2);
    talk.submit("a");
    talk.reply(talk.last());
    talk.submit("b");
    talk.reply(talk.last());
    talk.submit("c");
    talk.takeSent();
    // The log has heard of watermark 2 with "b"; that 3 is reached it does not know.
    SessionRequest c = talk.session.undecided(3);
    talk.session.abandon(c, talk.now);
    List<Copy> sent = talk.takeSent();
    assertThat(sent)
        .extracting(Copy::request)
        .containsExactly(
            new Request.KeepAlive(talk.session.address(), 3),
            new Request.AbandonSequence(talk.session.address(), 3));
    talk.refuse(sent.get(1), Refusal.WINDOW_EXCEEDED);
    talk.pass(100);
    assertThat(talk.takeSent())
        .extracting(copy -> copy.request().getClass().getSimpleName())
        .containsExactly("KeepAlive", "AbandonSequence");
    talk.answer(sent.get(1), new Decision.Abandoned(true));
    assertThat(talk.decided).containsEntry(c, new Decision.Refused(Refusal.ABANDONED));
  }

  @Test
  void aRequestThatIsAbandonedBeforeItIsSentIsOnlyAbandoned_O2() {
    Conversation talk = open(1);
    talk.submit("a");
    SessionRequest second = talk.submit("b");
    talk.session.abandon(second, talk.now);
    talk.reply(talk.takeSent().get(0));
    assertThat(talk.last().request()).isInstanceOf(Request.AbandonSequence.class);
    assertThat(talk.sent).noneMatch(copy -> copy.request() instanceof Request.InSession);
  }

  @Test
  void aReplyThatOvertakesTheAbandonDecides_O2() {
    Conversation talk = open(4);
    SessionRequest request = talk.submit("a");
    Copy copy = talk.last();
    talk.session.abandon(request, talk.now);
    talk.reply(copy);
    assertThat(talk.decided).containsEntry(request, replied(false));
    talk.answer(talk.last(), replied(true));
    assertThat(talk.decided).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"MISMATCH", "ABANDONED", "ACKNOWLEDGED"})
  void otherRefusalsAreDecisions_C1(Refusal refusal) {
    Conversation talk = open(4);
    SessionRequest request = talk.submit("a");
    talk.refuse(talk.last(), refusal);
    assertThat(talk.decided).containsEntry(request, new Decision.Refused(refusal));
    assertThat(talk.session.watermark()).isEqualTo(2);
  }

  // ---- S4, S8 ---------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(names = {"NO_SESSION", "SUPERSEDED"})
  void aLostSessionTellsWhatIsUnknownAndNeverSpeaksAgain_S4_S8(Refusal refusal) {
    Conversation talk = open(2);
    SessionRequest a = talk.submit("a");
    SessionRequest b = talk.submit("b");
    SessionRequest c = talk.submit("c");
    List<Copy> two = talk.takeSent();
    talk.reply(two.get(1));
    talk.refuse(two.get(0), refusal);
    assertThat(talk.end).isEqualTo(new End.Lost(new Decision.Refused(refusal)));
    assertThat(talk.unknown).containsExactly(a, c);
    assertThat(talk.decided).containsOnlyKeys(b);
    talk.takeSent();
    talk.reply(two.get(0));
    talk.session.rerouted(talk.now);
    talk.pass(60_000);
    assertThat(talk.sent).isEmpty();
    assertThat(talk.decided).hasSize(1);
    assertThatThrownBy(() -> talk.submit("d")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aKeepAliveThatIsSupersededEndsTheSession_S4() {
    Conversation talk = open(2);
    talk.pass(10_000);
    talk.refuse(talk.last(), Refusal.SUPERSEDED);
    assertThat(talk.end).isInstanceOf(End.Lost.class);
  }

  // ---- S9 -------------------------------------------------------------------------------------

  @Test
  void closingWaitsForEveryDecisionAndIsRetried_S9() {
    Conversation talk = open(4);
    talk.submit("a");
    Copy a = talk.takeSent().get(0);
    talk.session.close(talk.now);
    assertThat(talk.sent).isEmpty();
    assertThatThrownBy(() -> talk.submit("b")).isInstanceOf(IllegalStateException.class);
    talk.answer(a, new Answer.Unknown("lost"));
    talk.pass(100);
    talk.reply(talk.takeSent().get(0));
    assertThat(talk.last().request()).isEqualTo(new Request.Close(talk.session.address()));
    talk.answer(talk.takeSent().get(0), new Answer.NotLeader(""));
    talk.pass(100);
    talk.answer(talk.takeSent().get(0), new Decision.Done());
    assertThat(talk.end).isEqualTo(new End.Closed());
    assertThat(talk.unknown).isEmpty();
  }

  @Test
  void aSessionThatIsGoneWhenItIsClosedIsClosed_S9() {
    Conversation talk = open(4);
    talk.session.close(talk.now);
    talk.refuse(talk.last(), Refusal.NO_SESSION);
    assertThat(talk.end).isEqualTo(new End.Closed());
  }

  @Test
  void leavingTellsWhatIsUnknownAndSaysNothing() {
    Conversation talk = open(4);
    SessionRequest a = talk.submit("a");
    talk.takeSent();
    talk.session.leave();
    assertThat(talk.end).isEqualTo(new End.Left());
    assertThat(talk.unknown).containsExactly(a);
    assertThat(talk.session.wakeMillis()).isEqualTo(Long.MAX_VALUE);
    talk.session.leave();
    assertThat(talk.sent).isEmpty();
  }

  @Test
  void manyRequestsMayWaitBeyondTheWindow() {
    Conversation talk = open(100);
    for (int i = 0; i < 10_000; i++) {
      talk.submit("x" + i);
    }
    long next = 1;
    while (!talk.sent.isEmpty()) {
      for (Copy copy : talk.takeSent()) {
        assertThat(copy.sequence()).isEqualTo(next++);
        talk.reply(copy);
      }
    }
    assertThat(talk.decided).hasSize(10_000);
    assertThat(talk.session.watermark()).isEqualTo(10_001);
  }
}
