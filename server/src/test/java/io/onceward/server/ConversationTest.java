package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conversation with a client that reads when the test says so, at a door that is shut. */
class ConversationTest {
  private static final int ROOM = 1 << 20;
  private static final int ROOM_OF_ONE = 256 << 10;
  private static final GatewayLimits LIMITS =
      new GatewayLimits(4, 2, 2 << 10, 10, 60, 30, ROOM_OF_ONE, ROOM, ROOM);

  @TempDir Path folder;
  private final SharedRoom room = new SharedRoom("answers that are not read", ROOM);
  private Node node;

  @BeforeEach
  void start() {
    node = new Node(ServerSettings.alone(folder, 1, 2), new AddingService());
  }

  @Test
  void oneThatReadsGetsEveryAnswerInOrder() {
    Talk talk = new Talk();
    for (int i = 0; i < 3; i++) {
      talk.answer(10);
    }
    assertThat(talk.tickets).containsExactly(1L, 2L, 3L);
  }

  @Test
  void oneThatDoesNotReadGetsNothingBeforeItDoes() {
    Talk talk = new Talk();
    talk.answer(10);
    talk.ready = false;
    talk.answer(10);
    talk.answer(10);
    assertThat(talk.tickets).containsExactly(1L);
    talk.reads();
    assertThat(talk.tickets).containsExactly(1L, 2L, 3L);
  }

  @Test
  void oneThatReadsLateIsGivenALittleAtATime() {
    Talk talk = new Talk();
    talk.ready = false;
    for (int i = 0; i < 20; i++) {
      talk.answer(10_000);
    }
    talk.reads();
    assertThat(talk.tickets).hasSize(7);
    talk.reads();
    assertThat(talk.tickets).hasSize(14);
    talk.reads();
    assertThat(talk.tickets).hasSize(20);
  }

  @Test
  void whatWaitsIsCountedAndNoLongerOnceItIsRead() {
    Talk talk = new Talk();
    talk.ready = false;
    for (int i = 0; i < 5; i++) {
      talk.answer(10_000);
    }
    assertThat(room.bytes()).isBetween(50_000L, 52_000L);
    talk.reads();
    assertThat(room.bytes()).as("given to gRPC, which has it still").isBetween(50_000L, 52_000L);
    talk.reads();
    assertThat(room.bytes()).isZero();
  }

  @Test
  void theShortestMessageCountsForWhatGrpcTakesForIt() {
    new Talk().answer(1);
    assertThat(room.bytes()).isEqualTo(1_024);
  }

  @Test
  void whatGrpcHasStaysCountedWhenTheConversationEndsBeforeItsCallDoes() {
    Talk talk = new Talk();
    talk.answer(10_000);
    talk.ready = false;
    talk.answer(20_000);
    assertThat(room.bytes()).isGreaterThan(30_000);
    talk.conversation.hangUp(Status.OK);
    assertThat(room.bytes()).isBetween(10_000L, 11_000L);
    talk.conversation.gone();
    assertThat(room.bytes()).isZero();
  }

  @Test
  void oneThatHasReadEverythingIsToldWhyItHasToGo() {
    Talk talk = new Talk();
    talk.conversation.evicted("patience");
    assertThat(talk.closed.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(talk.closed.getDescription()).isEqualTo("too many bytes of patience");
    assertThat(talk.disconnections).isZero();
  }

  @Test
  void oneThatDoesNotReadLosesItsConnectionSinceItWouldNotHearOfIt() {
    Talk silent = new Talk();
    silent.answer(10_000);
    silent.ready = false;
    Talk greedy = new Talk();
    greedy.ready = false;
    greedy.answer(ROOM - 5_000);
    assertThat(silent.disconnections).isEqualTo(1);
    assertThat(silent.closed.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(greedy.closed).isNull();
    assertThat(room.bytes()).isBetween((long) ROOM - 5_000, (long) ROOM);
  }

  @Test
  void nothingIsSentAfterTheEnd() {
    Talk talk = new Talk();
    talk.conversation.hangUp(Status.OK);
    talk.answer(10);
    talk.reads();
    assertThat(talk.tickets).isEmpty();
    talk.conversation.hangUp(Status.INTERNAL);
    assertThat(talk.closed).as("the first word").isEqualTo(Status.OK);
  }

  @Test
  void oneThatCannotBeSentToIsDisconnectedAndTheOthersGetTheirAnswers() {
    Talk broken = new Talk();
    broken.answer(10);
    broken.breaks = true;
    Talk other = new Talk();
    node.arrived(
        here -> {
          broken.conversation.answer(2, told(10));
          other.conversation.answer(1, told(10));
        });
    assertThat(broken.disconnections).isEqualTo(1);
    assertThat(other.tickets).containsExactly(1L);
    other.reads();
    assertThat(room.bytes()).isZero();
  }

  @Test
  void oneWithTooMuchUnreadIsAskedForMoreOnceItHasRead() {
    Talk talk = new Talk();
    talk.ask();
    assertThat(talk.requested).isEqualTo(1);
    talk.ready = false;
    talk.answer(ROOM_OF_ONE);
    talk.ask();
    assertThat(talk.requested).isEqualTo(1);
    talk.reads();
    talk.reads();
    assertThat(talk.requested).isEqualTo(2);
  }

  @Test
  void whatOneBehindWantsToReadWaitsAndIsCounted() {
    Talk talk = new Talk();
    Question question = new Question.Query(Bytes.of(new byte[10_000]));
    assertThat(talk.conversation.postpones(1, question)).isFalse();
    talk.ready = false;
    talk.answer(ROOM_OF_ONE / 2);
    assertThat(talk.conversation.postpones(2, question)).isTrue();
    assertThat(room.bytes()).isBetween(ROOM_OF_ONE / 2 + 10_000L, ROOM_OF_ONE / 2 + 11_000L);
  }

  @Test
  void theMoreOthersLeaveUnreadTheLessIsLookedUpAhead() {
    Talk talk = new Talk();
    talk.ready = false;
    talk.answer(ROOM_OF_ONE / 8);
    Question question = new Question.CountOlderThan(1);
    assertThat(talk.conversation.postpones(1, question)).isFalse();
    Talk other = new Talk();
    other.ready = false;
    other.answer(ROOM / 8 * 7);
    assertThat(talk.conversation.postpones(1, question)).isTrue();
    Talk third = new Talk();
    third.ready = false;
    third.answer(10_000);
    assertThat(third.conversation.postpones(1, question)).as("a little is always free").isFalse();
  }

  @Test
  void garbageEndsTheConversationWithAReason() {
    Talk talk = new Talk();
    talk.conversation.hear(new byte[] {(byte) 0xff});
    assertThat(talk.closed.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(talk.requested).isZero();
  }

  private static Answer told(int bytes) {
    return new Answer.QueryTold(Reply.ok(Bytes.of(new byte[bytes])));
  }

  /** The conversation, and the call that it is held on. */
  private final class Talk extends ServerCall<byte[], Bytes> {
    final Conversation conversation =
        new Conversation(node, this, "someone", LIMITS, room, () -> this.disconnections++);
    final List<Long> tickets = new ArrayList<>();
    boolean ready = true;
    boolean breaks;
    int disconnections;
    int requested;
    @Nullable Status closed;
    private long answers;

    /** Answers the next question at the door, which sends it if it can. */
    void answer(int bytes) {
      node.arrived(here -> conversation.answer(++answers, told(bytes)));
    }

    /** Sends a message with one question. */
    void ask() {
      conversation.hear(
          Questions.encode(List.of(new Questions.Asked(1, new Question.CountOlderThan(1)))));
    }

    /** The client has read whatever gRPC had for it. */
    void reads() {
      ready = true;
      conversation.send();
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void sendMessage(Bytes message) {
      if (breaks) {
        throw new IllegalStateException("asked to");
      }
      Answers.decode(message.toArray(), (ticket, answer) -> tickets.add(ticket));
    }

    @Override
    public void request(int messages) {
      requested += messages;
    }

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void close(Status status, Metadata trailers) {
      closed = status;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<byte[], Bytes> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }
}
