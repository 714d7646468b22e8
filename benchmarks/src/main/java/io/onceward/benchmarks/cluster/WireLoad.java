package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Requests on one connection to the leader, each copy of which is really sent. All of it happens on
 * the connection's thread; what one message of answers causes leaves as one message. What is
 * refused for now is sent again at once. The leader has to stay meanwhile.
 */
final class WireLoad implements Running, WireStream.Listener {
  private static final int WINDOW = 4_096;
  private static final long SETTLE_SECONDS = 60;

  private final Stopwatch watch;
  private final Lane lane;
  private final Load load;
  private final Bytes payload = ServiceDirectory.address(CountingService.NAME, Command100.BYTES);
  private final Questions.Writer out = new Questions.Writer();
  private final List<WireSession> sessions = new ArrayList<>();
  private final List<Question.Logged> closings = new ArrayList<>();
  private final CompletableFuture<Void> opened = new CompletableFuture<>();
  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch closed;
  private final WireStream stream;

  private WireLoad(String leader, Load load, Stopwatch watch) {
    this.watch = watch;
    this.load = load;
    this.lane = new Lane(watch);
    this.closed = new CountDownLatch(load.sessions());
    this.stream = new WireStream(leader, this);
  }

  /** Opens the sessions and begins to ask. */
  static WireLoad start(String leader, Load load, Stopwatch watch) {
    WireLoad running = new WireLoad(leader, load, watch);
    running.open();
    running.opened.join();
    running.askFirst();
    return running;
  }

  private void open() {
    for (int i = 0; i < load.sessions(); i++) {
      Request opening =
          new Request.Open(
              ClientKind.REGISTERED, "", System.nanoTime(), i, 0, 0, false, true, WINDOW);
      out.add(i, new Question.Logged(Bytes.of(RequestCodec.encode(opening))));
    }
    stream.send(out.take());
  }

  private void askFirst() {
    for (int i = 0; i < load.inFlight(); i++) {
      lane.asked();
      sessions.get(i % sessions.size()).ask(out);
    }
    stream.send(out.take());
  }

  @Override
  public void heard(byte[] message) {
    try {
      Answers.decode(message, this::answered);
      if (!out.isEmpty()) {
        stream.send(out.take());
      }
    } catch (RuntimeException problem) {
      ended(problem.toString());
    }
  }

  private void answered(long ticket, Answer answer) {
    if (!(answer instanceof Answer.Decided told)) {
      throw new IllegalStateException("instead of a decision came " + answer);
    }
    if (told.decision() instanceof Decision.Opened session) {
      opened(session, told.clusterTag());
    } else if (told.decision() instanceof Decision.Replied replied) {
      replied(ticket, replied);
    } else if (told.decision() instanceof Decision.Refused refused
        && refused.executed() == Refusal.Executed.NOT_THIS_COPY) {
      sessions.get(WireSession.numberOf(ticket)).again(ticket, out);
    } else if (told.decision() instanceof Decision.Done) {
      closed.countDown();
    } else {
      throw new IllegalStateException("instead of a reply came " + told.decision());
    }
  }

  private void opened(Decision.Opened session, long clusterTag) {
    Request.Address address =
        new Request.Address(clusterTag, session.session(), session.incarnation());
    sessions.add(
        new WireSession(sessions.size(), session.window(), load.twicePercent(), payload, address));
    closings.add(new Question.Logged(Bytes.of(RequestCodec.encode(new Request.Close(address)))));
    if (sessions.size() == load.sessions()) {
      opened.complete(null);
    }
  }

  private void replied(long ticket, Decision.Replied replied) {
    WireSession session = sessions.get(WireSession.numberOf(ticket));
    if (WireSession.isSecondCopy(ticket)) {
      if (!replied.replay()) {
        throw new IllegalStateException("the second copy of a request was not a replay");
      }
      session.copyAnswered(ticket);
    } else if (lane.decided(session.answered(ticket, out))) {
      lane.asked();
      session.ask(out);
    }
    if (watch.isOver()) {
      settleIfAllAnswered();
    }
  }

  private void settleIfAllAnswered() {
    sessions.forEach(WireSession::rest);
    if (sessions.stream().allMatch(WireSession::isSettled)) {
      settled.countDown();
    }
  }

  @Override
  public void ended(String why) {
    IllegalStateException problem = new IllegalStateException("the conversation ended: " + why);
    opened.completeExceptionally(problem);
    lane.failed(problem);
    settled.countDown();
  }

  @Override
  public void settle() throws InterruptedException {
    await(settled, "not everything was answered");
    lane.requireNoFailure();
    for (Question.Logged closing : closings) {
      out.add(0, closing);
    }
    stream.send(out.take());
    await(closed, "not every session was closed");
    stream.close();
  }

  private static void await(CountDownLatch latch, String otherwise) throws InterruptedException {
    if (!latch.await(SETTLE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Override
  public Tally tally() {
    return lane.tally();
  }
}
