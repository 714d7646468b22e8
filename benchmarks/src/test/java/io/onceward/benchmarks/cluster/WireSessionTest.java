package io.onceward.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireSessionTest {
  private static final Request.Address ADDRESS = new Request.Address(1, 2, 3);

  private final Questions.Writer out = new Questions.Writer();

  /** A copy as it went out. */
  private record Copy(long ticket, long sequence, long watermark) {}

  @Test
  void halfOfTheRequestsAreSentTwiceSomeAtOnceAndSomeAfterTheAnswer() {
    WireSession session = session(50);
    for (int i = 0; i < 8; i++) {
      session.ask(out);
    }
    List<Copy> first = sent();
    assertThat(first)
        .extracting(Copy::sequence)
        .containsExactly(1L, 2L, 2L, 3L, 4L, 5L, 6L, 6L, 7L, 8L);
    answer(session, first);
    List<Copy> later = sent();
    assertThat(later).extracting(Copy::sequence).containsExactly(4L, 8L);
    assertThat(later).allMatch(copy -> WireSession.isSecondCopy(copy.ticket()));
    assertThat(session.isSettled()).isFalse();
    answer(session, later);
    assertThat(session.isSettled()).isTrue();
    assertThat(sent()).isEmpty();
  }

  @Test
  void theWatermarkPassesARequestOnlyWhenAllItsCopiesAreAnswered() {
    WireSession session = session(100);
    session.ask(out);
    List<Copy> copies = sent();
    long unused = session.answered(copies.get(0).ticket(), out);
    session.ask(out);
    assertThat(sent()).extracting(Copy::watermark).containsOnly(1L);
    session.copyAnswered(copies.get(1).ticket());
    session.ask(out);
    assertThat(sent()).extracting(Copy::watermark).containsOnly(2L);
  }

  @Test
  void withoutCopiesEachIsSentOnce() {
    WireSession session = session(0);
    for (int i = 0; i < 5; i++) {
      session.ask(out);
    }
    List<Copy> copies = sent();
    assertThat(copies).extracting(Copy::sequence).containsExactly(1L, 2L, 3L, 4L, 5L);
    answer(session, copies);
    assertThat(sent()).isEmpty();
    assertThat(session.isSettled()).isTrue();
  }

  @Test
  void nothingIsAskedBeyondTheWindow() {
    WireSession session = session(0);
    for (int i = 0; i < 20; i++) {
      session.ask(out);
    }
    List<Copy> copies = sent();
    assertThat(copies).hasSize(16);
    long unused = session.answered(copies.get(0).ticket(), out);
    session.ask(out);
    assertThat(sent()).extracting(Copy::sequence).containsExactly(17L);
  }

  private static WireSession session(int twicePercent) {
    return new WireSession(5, 16, twicePercent, Bytes.utf8("command"), ADDRESS);
  }

  private void answer(WireSession session, List<Copy> copies) {
    for (Copy copy : copies) {
      if (WireSession.isSecondCopy(copy.ticket())) {
        session.copyAnswered(copy.ticket());
      } else {
        long unused = session.answered(copy.ticket(), out);
      }
    }
  }

  private List<Copy> sent() {
    List<Copy> copies = new ArrayList<>();
    Questions.decode(
        out.take(),
        new Questions.Sink() {
          @Override
          public void asked(long ticket, Question question) {
            assertThat(WireSession.numberOf(ticket)).isEqualTo(5);
            Request request = RequestCodec.decode(((Question.Logged) question).frame());
            Request.InSession asked = (Request.InSession) request;
            copies.add(new Copy(ticket, asked.sequence(), asked.watermark()));
          }

          @Override
          public void unknown(long ticket, String reason) {
            throw new AssertionError(reason);
          }
        });
    return copies;
  }
}
