package io.onceward.server;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.onceward.DamagedException;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;

/**
 * One stream of one client: questions come in, answers go out, many to a message. What is answered
 * while the client is not ready to read waits here and leaves as one message; a client that lets
 * too much pile up is not asked for more, and one that never reads is hung up on. It loses nothing
 * by that: it asks again, under the same ids.
 */
final class Conversation extends Visitor {
  /** Beyond this no further questions are taken in. */
  private static final int MOST_UNREAD_BYTES = 4 << 20;

  /** Beyond this the client is given up. Answers to what was admitted may still come that far. */
  private static final int MOST_KEPT_BYTES = 64 << 20;

  private final Node node;
  private final ServerCall<byte[], byte[]> call;
  private final Answers.Writer unsent = new Answers.Writer();
  private boolean queued;
  private boolean owesRequest;
  private boolean over;

  Conversation(Node node, ServerCall<byte[], byte[]> call, String principal) {
    super(principal);
    this.node = node;
    this.call = call;
  }

  /** Takes in one message. */
  void hear(byte[] message) {
    try {
      node.arrived(here -> Questions.decode(message, new Asking(here)));
    } catch (DamagedException damaged) {
      hangUp(Status.INVALID_ARGUMENT.withDescription(damaged.getMessage()));
      return;
    }
    synchronized (this) {
      if (unsent.bytes() > MOST_UNREAD_BYTES) {
        owesRequest = true;
        return;
      }
    }
    call.request(1);
  }

  private final class Asking implements Questions.Sink {
    private final Node here;

    Asking(Node here) {
      this.here = here;
    }

    @Override
    public void asked(long ticket, Question question) {
      here.ask(Conversation.this, ticket, question);
    }

    @Override
    public void unknown(long ticket, String reason) {
      answer(ticket, new Answer.Rejected(reason));
    }
  }

  /** Keeps an answer until {@link #send}; called at the door. */
  @Override
  protected synchronized void answer(long ticket, Answer answer) {
    if (over) {
      return;
    }
    unsent.add(ticket, answer);
    if (!queued) {
      queued = true;
      node.hasAnswers(this);
    }
  }

  /** Sends what was answered, if the client is ready to read. */
  void send() {
    boolean ask = false;
    synchronized (this) {
      queued = false;
      if (over || unsent.isEmpty()) {
        return;
      }
      if (call.isReady()) {
        call.sendMessage(unsent.take());
        ask = owesRequest;
        owesRequest = false;
      } else if (unsent.bytes() > MOST_KEPT_BYTES) {
        over = true;
        call.close(
            Status.RESOURCE_EXHAUSTED.withDescription("answers were not read"), new Metadata());
      }
    }
    if (ask) {
      call.request(1);
    }
  }

  synchronized void hangUp(Status status) {
    if (!over) {
      over = true;
      call.close(status, new Metadata());
    }
  }

  /** The client is gone; what it asked goes on, its answers are for nobody. */
  synchronized void gone() {
    over = true;
    if (!unsent.isEmpty()) {
      unsent.take();
    }
  }
}
