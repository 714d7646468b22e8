package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Reply;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Timing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
  void theTimingComesBeforeTheFirstAnswerAndOnlyOnce() {
    Talk talk = new Talk();
    talk.ask();
    talk.ask();
    assertThat(talk.timings).containsExactly(Timing.INITIAL);
    assertThat(talk.tickets).hasSize(2);
  }

  @Test
  void whoNeverReadsCostsOneTimingHoweverOftenItChanges() {
    Talk talk = new Talk();
    talk.ready = false;
    for (int millis = 1_000; millis <= 50_000; millis++) {
      Timing timing = new Timing(millis, 1, 1);
      node.arrived(here -> talk.conversation.timing(timing));
    }
    assertThat(room.bytes()).isBetween(1L, 100L);
    talk.reads();
    assertThat(talk.timings).containsExactly(new Timing(50_000, 1, 1));
    talk.reads();
    assertThat(room.bytes()).isZero();
  }

  @Test
  void changeThatAFollowerAppliesIsToldToThoseWhoEverAskedAndAreStillThere() {
    Talk talk = new Talk();
    talk.ask();
    Talk gone = new Talk();
    gone.ask();
    gone.conversation.gone();
    node.apply(1, 1, entryWith(Parameter.KEEP_ALIVE_MILLIS, 700), null);
    assertThat(talk.timings).hasSize(2).element(1).returns(700L, Timing::keepAliveMillis);
    assertThat(gone.timings).hasSize(1);
  }

  @Test
  void changeThatComesWithASnapshotIsTold() throws Exception {
    Talk talk = new Talk();
    talk.ask();
    Replica other = new Replica(new AddingService());
    other.apply(1, 1, entryWith(Parameter.SESSION_EXPIRY_MILLIS, 9_000), null);
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    other.freeze().writeTo(snapshot);
    node.restore(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(talk.timings).hasSize(2).element(1).returns(9_000L, Timing::sessionExpiryMillis);
  }

  private static byte[] entryWith(Parameter parameter, long value) {
    List<LogEntry.Proposal> proposals =
        List.of(
            new LogEntry.Proposal(Door.NODE, new Request.FormCluster(new ClusterId(1, 2))),
            new LogEntry.Proposal(Door.NODE, new Request.SetParameter(parameter, value)));
    return new LogEntry(0, 1_700_000_000_000L, proposals).encode();
  }

  @Test
  void whoIsGoneHearsNoTiming() {
    Talk talk = new Talk();
    talk.conversation.hangUp(Status.OK);
    node.arrived(here -> talk.conversation.timing(Timing.INITIAL));
    talk.reads();
    assertThat(talk.timings).isEmpty();
    assertThat(room.bytes()).isZero();
  }

  @Test
  void garbageEndsTheConversationWithAReason() {
    Talk talk = new Talk();
    talk.conversation.hear(new byte[] {(byte) 0xff});
    assertThat(talk.closed.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(talk.requested).isZero();
  }

  @Test
  void shortRequestDoesNotKeepLongMessage() {
    Bytes frame =
        Bytes.of(RequestCodec.encode(new Request.KeepAlive(new Request.Address(1, 2, 3), 4)));
    for (Question question :
        new Question[] {new Question.Logged(frame), new Question.Query(frame)}) {
      for (int length = Conversation.KEPT_WHOLE_BYTES + 1; length < 5_000; length += 300) {
        byte[] message =
            padded(Questions.encode(List.of(new Questions.Asked(1, question))), length);
        Question kept = Conversation.kept(onlyQuestionIn(message), message.length);
        Arrays.fill(message, (byte) 0xff);
        assertThat(kept).as("of a message of %s bytes", length).isEqualTo(question);
      }
    }
  }

  @Test
  void requestThatIsMostOfItsMessageIsNotCopied() {
    Question question = new Question.Query(Bytes.of(new byte[4_000]));
    byte[] message = Questions.encode(List.of(new Questions.Asked(1, question)));
    Question asked = onlyQuestionIn(message);
    assertThat(Conversation.kept(asked, message.length)).isSameAs(asked);
  }

  /** Behind what it says, it has a field that nobody knows. */
  private static byte[] padded(byte[] message, int length) {
    int rest = length - message.length - 4;
    byte[] padded = Arrays.copyOf(message, length);
    int at = message.length;
    // Field 1000, delimited; its length in two bytes.
    padded[at] = (byte) 0xc2;
    padded[at + 1] = (byte) 0x3e;
    padded[at + 2] = (byte) (rest & 127 | 128);
    padded[at + 3] = (byte) (rest >> 7);
    return padded;
  }

  private static Question onlyQuestionIn(byte[] message) {
    List<Question> questions = new ArrayList<>();
    Questions.decode(
        message,
        new Questions.Sink() {
          @Override
          public void asked(long ticket, Question question) {
            questions.add(question);
          }

          @Override
          public void unknown(long ticket, String reason) {
            throw new AssertionError(reason);
          }
        });
    assertThat(questions).hasSize(1);
    return questions.get(0);
  }

  private static Answer told(int bytes) {
    return new Answer.QueryTold(Reply.ok(Bytes.of(new byte[bytes])));
  }

  /** The conversation, and the call that it is held on. */
  private final class Talk extends ServerCall<byte[], Bytes> {
    final Conversation conversation =
        new Conversation(node, this, "someone", LIMITS, room, () -> this.disconnections++);
    final List<Long> tickets = new ArrayList<>();
    final List<Timing> timings = new ArrayList<>();
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
      Answers.decode(
          message.toArray(),
          new Answers.Sink() {
            @Override
            public void given(long ticket, Answer answer) {
              tickets.add(ticket);
            }

            @Override
            public void timing(Timing timing) {
              if (timings.isEmpty()) {
                assertThat(tickets).as("answers before the first timing").isEmpty();
              }
              timings.add(timing);
            }
          });
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
