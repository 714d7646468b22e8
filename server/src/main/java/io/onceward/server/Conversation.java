package io.onceward.server;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * One stream of one client: questions come in, answers go out, many to a message. What is answered
 * while the client is not ready to read waits here; a client that lets too much pile up is not
 * asked for more, gets no more of what it only wants to read, and one that never reads is hung up
 * on. It loses nothing by that: it asks again, under the same ids.
 */
final class Conversation extends Visitor implements SharedRoom.Tenant {
  /** A message ends with the answer that passes this: it is all that gRPC keeps for a client. */
  private static final int MESSAGE_BYTES = 1 << 20;

  /** Up to here nobody counts what waits; nearly always it leaves in the next moment. */
  private static final int SMALL_BYTES = 16 << 10;

  /** A longer message is not kept for the sake of a small part of it. */
  private static final int KEPT_WHOLE_BYTES = 4 << 10;

  /** What fits into a moment; few messages have more. */
  static final int QUESTIONS_AT_A_TIME = 1 << 10;

  private final Node node;
  private final ServerCall<byte[], byte[]> call;
  private final GatewayLimits limits;
  private final SharedRoom room;
  private final Runnable disconnect;
  private final Answers.Writer unsent = new Answers.Writer();
  private final ArrayDeque<byte[]> messages = new ArrayDeque<>();

  /** Bytes in {@link #messages}. */
  private long packed;

  /** What gRPC keeps because the client does not read. */
  private long handed;

  private boolean counted;
  private boolean queued;
  private boolean owesRequest;
  private boolean over;

  Conversation(
      Node node,
      ServerCall<byte[], byte[]> call,
      String principal,
      GatewayLimits limits,
      SharedRoom room,
      Runnable disconnect) {
    super(principal);
    this.node = node;
    this.call = call;
    this.limits = limits;
    this.room = room;
    this.disconnect = disconnect;
  }

  /** Takes in one message. */
  void hear(byte[] message) {
    Asking asking = new Asking(message.length);
    try {
      Questions.decode(message, asking);
      asking.bring();
    } catch (DamagedException damaged) {
      asking.bring();
      hangUp(Status.INVALID_ARGUMENT.withDescription(damaged.getMessage()));
      return;
    }
    synchronized (this) {
      if (waitingBytes() > limits.unreadBytesPerConnection()) {
        owesRequest = true;
        return;
      }
    }
    call.request(1);
  }

  /**
   * Brings the questions of a message to the door, so many at a time: others are waiting there, and
   * a message may have a great many.
   */
  private final class Asking implements Questions.Sink {
    private final int messageBytes;
    private final List<Node.Arrival> gathered = new ArrayList<>();

    Asking(int messageBytes) {
      this.messageBytes = messageBytes;
    }

    @Override
    public void asked(long ticket, Question question) {
      Question kept = kept(question);
      gather(here -> here.ask(Conversation.this, ticket, kept));
    }

    private void gather(Node.Arrival one) {
      gathered.add(one);
      if (gathered.size() >= QUESTIONS_AT_A_TIME) {
        bring();
      }
    }

    void bring() {
      if (!gathered.isEmpty()) {
        node.arrived(here -> gathered.forEach(one -> one.askAll(here)));
        gathered.clear();
      }
    }

    /** A frame is a view; it must not hold on to a long message that asks little. */
    private Question kept(Question question) {
      return messageBytes > KEPT_WHOLE_BYTES
              && question instanceof Question.Logged logged
              && logged.frame().length() < messageBytes / 2
          ? new Question.Logged(Bytes.of(logged.frame().toArray()))
          : question;
    }

    @Override
    public void unknown(long ticket, String reason) {
      gather(here -> answer(ticket, new Answer.Rejected(reason)));
    }
  }

  /** Keeps an answer until {@link #send}; called at the door. */
  @Override
  protected void answer(long ticket, Answer answer) {
    List<SharedRoom.Tenant> leaving;
    synchronized (this) {
      if (over) {
        return;
      }
      unsent.add(ticket, answer);
      if (unsent.bytes() > MESSAGE_BYTES) {
        pack();
      }
      if (!queued) {
        queued = true;
        node.hasAnswers(this);
      }
      long waits = waitingBytes();
      if (waits <= SMALL_BYTES && !counted) {
        return;
      }
      counted = true;
      leaving = room.hold(this, waits);
    }
    room.evict(leaving);
  }

  private void pack() {
    byte[] message = unsent.take();
    packed += message.length;
    messages.add(message);
  }

  private long waitingBytes() {
    return handed + packed + unsent.bytes();
  }

  /** Whether so much is unread that nothing should be looked up for this client. */
  @Override
  protected synchronized boolean isBehind() {
    return over || waitingBytes() > limits.unreadBytesPerConnection();
  }

  /** Sends what was answered, as far as the client is ready to read. */
  void send() {
    boolean ask = false;
    List<SharedRoom.Tenant> leaving = List.of();
    synchronized (this) {
      queued = false;
      if (over) {
        return;
      }
      if (!unsent.isEmpty()) {
        pack();
      }
      while (call.isReady() && !messages.isEmpty()) {
        byte[] message = messages.remove();
        packed -= message.length;
        handed = message.length;
        call.sendMessage(message);
      }
      if (call.isReady()) {
        handed = 0;
      }
      long waits = waitingBytes();
      if (owesRequest && waits <= limits.unreadBytesPerConnection()) {
        owesRequest = false;
        ask = true;
      }
      if (counted || waits > 0) {
        counted = waits > 0;
        leaving = room.hold(this, waits);
      }
    }
    room.evict(leaving);
    if (ask) {
      call.request(1);
    }
  }

  /** Hangs up. Who does not read would not hear of it, and gRPC would keep what it has. */
  @Override
  public void evicted(String limit) {
    boolean reads;
    synchronized (this) {
      reads = handed == 0;
    }
    hangUp(Status.RESOURCE_EXHAUSTED.withDescription("too many bytes of " + limit));
    if (!reads) {
      disconnect.run();
    }
  }

  synchronized void hangUp(Status status) {
    if (!over) {
      drop();
      call.close(status, new Metadata());
    }
  }

  /** The client is gone; what it asked goes on, its answers are for nobody. */
  synchronized void gone() {
    drop();
  }

  private void drop() {
    over = true;
    if (!unsent.isEmpty()) {
      unsent.take();
    }
    messages.clear();
    packed = 0;
    handed = 0;
    // Nobody has to go for less.
    var unused = room.hold(this, 0);
  }
}
