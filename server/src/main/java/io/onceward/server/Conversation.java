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
import io.onceward.wire.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream of one client: questions come in, answers go out, many to a message. What is answered
 * while the client is not ready to read waits here; for a client that lets much pile up, what it
 * only wants to read is not looked up before it has read, then it is not asked for more, and one
 * that never reads is hung up on. It loses nothing by that: it asks again, under the same ids.
 */
final class Conversation extends Visitor implements SharedRoom.Tenant {
  /** A message ends with the answer that passes this: so short that its buffer can be kept. */
  private static final int MESSAGE_BYTES = 8 << 10;

  /** So much is given to gRPC before it has passed all of it on. */
  private static final int HANDED_AT_ONCE = 64 << 10;

  /** What gRPC takes in memory for the shortest message, with all that belongs to it. */
  private static final int HANDED_AT_LEAST = 1 << 10;

  /** So much more is not counted before the next attempt to send: nearly always it succeeds. */
  private static final int SMALL_BYTES = 16 << 10;

  /**
   * A longer message is not kept for the sake of a small part of it. What waits is counted by its
   * own length and what stands around it in memory, which is about as much as this; with more, a
   * crowd of keep-alives that came with padding would take far more than it counts for.
   */
  static final int KEPT_WHOLE_BYTES = 256;

  /** What fits into a moment; few messages have more. */
  static final int QUESTIONS_AT_A_TIME = 1 << 10;

  /** What a timing that waits takes in memory, and then on its way. */
  private static final int TIMING_BYTES = 64;

  private static final Answer BEHIND =
      new Answer.Unavailable("too many bytes of answers are not read on this connection");

  private final Node node;
  private final ServerCall<byte[], Bytes> call;
  private final GatewayLimits limits;
  private final SharedRoom room;
  private final Runnable disconnect;
  private final Answers.Writer unsent = new Answers.Writer();
  private final ArrayDeque<Bytes> messages = new ArrayDeque<>();
  private final PostponedReads postponed = new PostponedReads();

  /** What goes out before all answers; a newer one takes its place. */
  private @Nullable Timing untold;

  /** Bytes in {@link #messages}. */
  private long packed;

  /** What gRPC was given since it had passed on everything. */
  private long handed;

  /** What the room was last told. */
  private long counted;

  private boolean queued;
  private boolean owesRequest;
  private boolean readingOn;
  private boolean over;

  Conversation(
      Node node,
      ServerCall<byte[], Bytes> call,
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
      Question kept = kept(question, messageBytes);
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

    @Override
    public void unknown(long ticket, String reason) {
      gather(here -> answer(ticket, new Answer.Rejected(reason)));
    }
  }

  /**
   * A frame is a view; it must not hold on to a message that asks for much less than it is long.
   */
  static Question kept(Question question, int messageBytes) {
    if (messageBytes <= KEPT_WHOLE_BYTES) {
      return question;
    } else if (question instanceof Question.Logged logged
        && isSmallPart(logged.frame(), messageBytes)) {
      return new Question.Logged(Bytes.of(logged.frame().toArray()));
    } else if (question instanceof Question.Query query
        && isSmallPart(query.question(), messageBytes)) {
      return new Question.Query(Bytes.of(query.question().toArray()));
    }
    return question;
  }

  private static boolean isSmallPart(Bytes bytes, int messageBytes) {
    return bytes.length() < messageBytes / 2;
  }

  /** Keeps an answer until {@link #send}; called at the door, where others wait for theirs. */
  @Override
  protected void answer(long ticket, Answer answer) {
    try {
      keep(ticket, answer);
    } catch (RuntimeException | OutOfMemoryError problem) {
      broken();
    }
  }

  private void keep(long ticket, Answer answer) {
    List<SharedRoom.Tenant> leaving;
    synchronized (this) {
      if (over) {
        return;
      }
      unsent.add(ticket, answer);
      if (unsent.bytes() > MESSAGE_BYTES) {
        pack();
      }
      sendSoon();
      long waits = waitingBytes();
      if (waits <= counted + SMALL_BYTES) {
        return;
      }
      counted = waits;
      leaving = room.hold(this, waits);
    }
    room.evict(leaving);
  }

  /** A client that never reads costs one of these, however often it changes. */
  @Override
  protected void timing(Timing timing) {
    try {
      synchronized (this) {
        if (!over) {
          untold = timing;
          sendSoon();
        }
      }
    } catch (RuntimeException | OutOfMemoryError problem) {
      broken();
    }
  }

  /** Only at the door, from where everybody is sent to on leaving. */
  private void sendSoon() {
    if (!queued) {
      queued = true;
      node.hasAnswers(this);
    }
  }

  private void pack() {
    Bytes message = unsent.take();
    packed += message.length();
    messages.add(message);
  }

  private long waitingBytes() {
    return unreadBytes() + postponed.bytes();
  }

  private long unreadBytes() {
    return handed + packed + unsent.bytes() + (untold == null ? 0 : TIMING_BYTES);
  }

  private boolean isBehind() {
    long unread = unreadBytes();
    // Nearly everybody is done with the first of these.
    return unread > GatewayLimits.LEAST_READ_AHEAD_BYTES
        && unread > limits.readAheadBytes(room.bytes());
  }

  @Override
  protected boolean postpones(long ticket, Question question) {
    List<SharedRoom.Tenant> leaving = List.of();
    boolean fits;
    synchronized (this) {
      if (over) {
        return true;
      }
      if (postponed.isEmpty() && !isBehind()) {
        return false;
      }
      fits = waitingBytes() + PostponedReads.bytesOf(question) <= limits.unreadBytesPerConnection();
      if (fits) {
        postponed.add(ticket, question);
        counted = waitingBytes();
        leaving = room.hold(this, counted);
      }
    }
    room.evict(leaving);
    if (!fits) {
      answer(ticket, BEHIND);
    }
    return true;
  }

  /** Looks up some of what was postponed; called at the door. */
  void readOn(Leader<?> leader) {
    try {
      for (int i = 0; i < Door.READS_AT_A_TIME && !leader.servedMuch(); i++) {
        PostponedReads.Read next;
        synchronized (this) {
          next = isBehind() ? null : postponed.poll();
        }
        if (next == null) {
          break;
        }
        leader.lookUp(this, next.ticket(), next.question());
      }
    } catch (RuntimeException | StackOverflowError problem) {
      hangUp(Status.INTERNAL.withDescription("a question could not be looked up: " + problem));
    }
    synchronized (this) {
      readingOn = false;
      // Whoever sent meanwhile left the rest to this one.
      if (!postponed.isEmpty()) {
        sendSoon();
      }
    }
  }

  /** Sends what was answered, as far as the client is ready to read. */
  void send() {
    boolean ask = false;
    boolean readOn;
    List<SharedRoom.Tenant> leaving = List.of();
    synchronized (this) {
      queued = false;
      if (over) {
        return;
      }
      boolean reads = call.isReady();
      if (reads) {
        if (unsent.isEmpty() && messages.isEmpty()) {
          unsent.shrink();
        }
        handOn();
      }
      long waits = waitingBytes();
      if (owesRequest && waits <= limits.unreadBytesPerConnection()) {
        owesRequest = false;
        ask = true;
      }
      if (counted > 0 || waits > 0) {
        counted = waits;
        // Who reads does not count among those who have been in the room for long.
        leaving = reads ? room.renew(this, waits) : room.hold(this, waits);
      }
      readOn = !readingOn && !postponed.isEmpty() && !isBehind();
      readingOn |= readOn;
    }
    if (readOn) {
      node.readsOn(this);
    }
    room.evict(leaving);
    if (ask) {
      call.request(1);
    }
  }

  /** Gives to gRPC, which has passed on all that it had and copies at once what it gets. */
  private void handOn() {
    handed = 0;
    if (untold != null) {
      hand(Bytes.of(Answers.encode(untold)));
      untold = null;
    }
    while (!messages.isEmpty() && handed < HANDED_AT_ONCE) {
      Bytes message = messages.remove();
      packed -= message.length();
      hand(message);
    }
    if (!unsent.isEmpty() && handed < HANDED_AT_ONCE) {
      hand(unsent.written());
      unsent.clear();
    }
  }

  private void hand(Bytes message) {
    handed += Math.max(message.length(), HANDED_AT_LEAST);
    call.sendMessage(message);
  }

  /** Hangs up. Who does not read would not hear of it, and gRPC would keep what it has. */
  @Override
  public void evicted(String limit) {
    boolean reads;
    synchronized (this) {
      reads = handed == 0;
      handed = 0;
      hangUp(Status.RESOURCE_EXHAUSTED.withDescription("too many bytes of " + limit));
    }
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

  /** Nothing more can be sent, for whatever reason. */
  void broken() {
    gone();
    disconnect.run();
  }

  /** The client is gone; what it asked goes on, its answers are for nobody. */
  void gone() {
    synchronized (this) {
      handed = 0;
      drop();
    }
    // Not under this lock: who holds the doorstep takes it.
    node.left(this);
  }

  /** What gRPC has stays counted until the call is {@link #gone}. Nobody has to go for less. */
  private void drop() {
    over = true;
    untold = null;
    unsent.clear();
    unsent.shrink();
    messages.clear();
    postponed.clear();
    packed = 0;
    var unused = room.hold(this, handed);
  }
}
