package io.onceward.client;

import io.onceward.DamagedException;
import io.onceward.client.session.Pace;
import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import io.onceward.wire.Timing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with one node, shared by everyone who speaks to it.
 *
 * <p>A lone question leaves at once, on the thread that asks. What is asked while a message is on
 * its way to the network is collected and leaves as one message after it; the busier, the larger
 * the messages.
 *
 * <p>Nothing of the transport that could call back is called under the lock.
 */
final class Connection implements Line.Listener {
  /** A message is closed when it is this long. */
  private static final int MESSAGE_BYTES = 512 << 10;

  /**
   * How many bytes of questions may be without an answer before more of them wait. They wait as
   * references, not as bytes, and a retry takes the place of the copy that waits: a slow line makes
   * neither copies nor long queues (C1).
   */
  private static final int UNANSWERED_BYTES = 2 << 20;

  /** A slower line than this counts as broken; a long message needs its time even so. */
  private static final int SLOWEST_BYTES_PER_SECOND = 256 << 10;

  /** What became of a copy that was to be sent. */
  enum Added {
    /** The connection is dead; nothing was added. */
    DEAD,
    /** An earlier copy is still under way here, and stands for this one. */
    MERGED,
    NEW
  }

  private record Message(byte[] bytes, List<Asked> asked) {}

  private final String address;
  private final Nodes nodes;
  private final Transport transport;
  private final Pace pace;
  private final Alarms.Alarm alarm = new Alarms.Alarm(this::ring);
  private final Object lock = new Object();
  private @Nullable Line line;

  // Under the lock.
  private final Tickets tickets = new Tickets();
  private final Questions.Writer writer = new Questions.Writer();
  private List<Asked> written = new ArrayList<>();
  private final ArrayDeque<Message> closedMessages = new ArrayDeque<>();
  private final Backlog backlog = new Backlog();
  private long unansweredBytes;
  private boolean writing;
  private boolean dead;

  /** Why a message could not be made; what there is of it must not leave, so nothing does. */
  private @Nullable Throwable broken;

  private int waiting;
  private int waitingPatiently;
  private long heardMillis;
  private long waitingSinceMillis;
  private long waitingPatientlySinceMillis;

  // On the transport's thread.
  private final List<Asked> asked = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final Heard heard = new Heard();
  private long[] given = new long[64];
  private @Nullable Timing timing;

  Connection(String address, Nodes nodes, Transport transport, Pace pace) {
    this.address = address;
    this.nodes = nodes;
    this.transport = transport;
    this.pace = pace;
  }

  String address() {
    return address;
  }

  /** Connects; to be called once, on the transport's thread. */
  void open() {
    Line opened;
    try {
      opened = transport.connect(address, this);
    } catch (RuntimeException | Error e) {
      fail("cannot connect", e);
      return;
    }
    synchronized (lock) {
      line = opened;
    }
    flush();
  }

  /** Something below threw; whoever waits here goes another way, and nobody has to catch it. */
  private void fail(String what, Throwable cause) {
    String reason = what + ": " + cause;
    try {
      transport.execute(() -> close(reason));
    } catch (RuntimeException | Error e) {
      // Silence will end it. The caller must not take a copy that is under way for one never sent.
      Uncaught.report(e);
    }
  }

  // ---- asking ---------------------------------------------------------------------------------

  /** Adds a question to the next message, or to those that wait until the line can take more. */
  Added add(Asked copy, long nowMillis) {
    boolean first;
    long silentAtMillis;
    synchronized (lock) {
      if (dead || broken != null) {
        return Added.DEAD;
      }
      if (copy.what.carrier() instanceof Asked earlier && standsFor(earlier, copy, nowMillis)) {
        return Added.MERGED;
      }
      copy.what.carriedBy(copy);
      first = startWaiting(copy, nowMillis);
      place(copy);
      silentAtMillis = nowMillis + patience(copy.wait == Asked.Wait.KEEP_ALIVE);
    }
    if (first) {
      watch(silentAtMillis);
    }
    endIfBroken();
    return Added.NEW;
  }

  /**
   * The copy is under way: whatever fails here, it must not be told that it is not, or what may be
   * sent once is sent twice (E10). Askers that watch their own copies notice silence, too.
   */
  private void watch(long silentAtMillis) {
    try {
      nodes.alarms().wakeBy(alarm, silentAtMillis);
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }

  private void place(Asked copy) {
    boolean leaves;
    try {
      leaves = canLeave();
      if (!leaves) {
        backlog.add(copy);
      }
    } catch (RuntimeException | Error e) {
      lose(copy, e);
      return;
    }
    if (leaves) {
      write(copy);
    }
  }

  /**
   * As if the copy got lost on its way: it is asked again. Who waits for it without looking after
   * it hears of that, when the lock is not held.
   */
  private void lose(Asked copy, Throwable problem) {
    Uncaught.report(problem);
    drop(copy);
    transport.execute(() -> nodes.lost(this, copy));
  }

  /** Those who wait here go another way; not under the lock. */
  private void endIfBroken() {
    Throwable problem;
    synchronized (lock) {
      problem = broken;
    }
    if (problem != null) {
      fail("a message cannot be written", problem);
    }
  }

  /**
   * Whether an earlier copy makes this one unnecessary: no second copy leaves on a live connection
   * before the first has left it and had the time to be answered.
   */
  private boolean standsFor(Asked earlier, Asked copy, long nowMillis) {
    if (earlier.connection != this || earlier.over) {
      return false;
    }
    if (earlier.isWaiting()) {
      earlier.question = copy.question;
      earlier.kind = copy.kind;
      earlier.copy = copy.copy;
      return true;
    }
    boolean fresh = !earlier.left || nowMillis - earlier.leftMillis < patience(false);
    if (fresh && copy.wait == Asked.Wait.USUAL && earlier.kind.equals(copy.kind)) {
      earlier.copy = copy.copy;
      return true;
    }
    // Its answer may be lost; it must not keep others from leaving for ever.
    unansweredBytes -= earlier.bytes;
    earlier.bytes = 0;
    return false;
  }

  private boolean startWaiting(Asked copy, long nowMillis) {
    copy.connection = this;
    return switch (copy.wait) {
      case USUAL -> {
        boolean first = waiting++ == 0;
        if (first) {
          waitingSinceMillis = nowMillis;
        }
        yield first;
      }
      case KEEP_ALIVE -> {
        boolean first = waitingPatiently++ == 0;
        if (first) {
          waitingPatientlySinceMillis = nowMillis;
        }
        yield first;
      }
      case SLOW -> false;
    };
  }

  /** Takes back a copy that still waits for its turn; false if it may have left. */
  boolean withdraw(Asked copy) {
    synchronized (lock) {
      if (copy.over || !copy.isWaiting()) {
        return false;
      }
      copy.question = null;
      drop(copy);
      return true;
    }
  }

  private boolean canLeave() {
    return backlog.isEmpty()
        && unansweredBytes < UNANSWERED_BYTES
        && line != null
        && (writing || line.isReady());
  }

  private void write(Asked copy) {
    Question question;
    long ticket;
    try {
      question = copy.takeQuestion();
      ticket = tickets.add(copy);
    } catch (RuntimeException | Error e) {
      lose(copy, e);
      return;
    }
    try {
      int before = writer.bytes();
      writer.add(ticket, question);
      copy.bytes = writer.bytes() - before;
      unansweredBytes += copy.bytes;
      written.add(copy);
      if (writer.bytes() >= MESSAGE_BYTES) {
        closedMessages.add(closeMessage());
      }
    } catch (RuntimeException | Error e) {
      broken = e;
    }
  }

  private void drop(Asked copy) {
    copy.over = true;
    stopWaiting(copy);
  }

  private Message closeMessage() {
    Message message = new Message(writer.take(), written);
    written = new ArrayList<>();
    return message;
  }

  private long patience(boolean patient) {
    return pace.answerTimeoutMillis()
        + unansweredBytes * 1000 / SLOWEST_BYTES_PER_SECOND
        + (patient ? nodes.timing().keepAliveMillis() : 0);
  }

  /** Sends what was added, unless a message is under way: then it follows that one. */
  void flush() {
    byte[] message;
    synchronized (lock) {
      if (writing) {
        return;
      }
      message = takeMessage();
      writing = message != null;
    }
    sendOrEnd(message);
  }

  /** The message before was handed to the network. */
  private void wrote() {
    byte[] message;
    synchronized (lock) {
      message = takeMessage();
      writing = message != null;
    }
    sendOrEnd(message);
  }

  private void sendOrEnd(byte @Nullable [] message) {
    if (message != null) {
      send(message);
    } else {
      endIfBroken();
    }
  }

  private byte @Nullable [] takeMessage() {
    try {
      return dead || broken != null || line == null ? null : nextMessage(line);
    } catch (RuntimeException | Error e) {
      broken = e;
      return null;
    }
  }

  private byte @Nullable [] nextMessage(Line line) {
    boolean empty = closedMessages.isEmpty() && writer.isEmpty();
    if (empty && backlog.isEmpty() || !line.isReady()) {
      return null;
    }
    if (empty) {
      writeBacklog();
      if (broken != null || writer.isEmpty() && closedMessages.isEmpty()) {
        return null;
      }
    }
    Message message = closedMessages.isEmpty() ? closeMessage() : closedMessages.remove();
    long now = nodes.nowMillis();
    for (Asked copy : message.asked()) {
      copy.left = true;
      copy.leftMillis = now;
    }
    return message.bytes();
  }

  private void writeBacklog() {
    while (unansweredBytes < UNANSWERED_BYTES && closedMessages.isEmpty()) {
      Asked next = backlog.poll();
      if (next == null) {
        return;
      }
      if (next.over) {
        continue;
      }
      if (next.what.isDecided()) {
        drop(next);
      } else {
        write(next);
      }
    }
  }

  private void send(byte[] message) {
    Line to = line;
    if (to != null) {
      try {
        to.send(message);
        // Runs behind the write that was just queued there: until then, questions come together.
        transport.execute(this::wrote);
      } catch (RuntimeException | Error e) {
        fail("cannot send", e);
      }
    }
  }

  @Override
  public void ready() {
    flush();
  }

  // ---- hearing --------------------------------------------------------------------------------

  @Override
  public void received(byte[] message) {
    long now = nodes.nowMillis();
    asked.clear();
    answers.clear();
    Timing before = timing;
    try {
      Answers.decode(message, heard);
    } catch (DamagedException e) {
      close("what the node sent is no message: " + e.getMessage());
      return;
    } catch (RuntimeException | Error e) {
      close("what the node sent cannot be read: " + e);
      return;
    }
    synchronized (lock) {
      heardMillis = now;
      for (int i = 0; i < answers.size(); i++) {
        asked.add(take(given[i]));
      }
    }
    Timing expected = timing;
    nodes.cork();
    try {
      if (expected != null && !expected.equals(before)) {
        nodes.told(this, expected);
        // Keep-alives may be missed sooner now.
        closeIfSilent(now);
      }
      tellSpeakers(now);
    } finally {
      nodes.uncork();
    }
  }

  /** What this node last said of idle clients, or null; on the transport's thread. */
  @Nullable Timing timing() {
    return timing;
  }

  private final class Heard implements Answers.Sink {
    @Override
    public void given(long ticket, Answer answer) {
      int count = answers.size();
      if (count == given.length) {
        given = Arrays.copyOf(given, count * 2);
      }
      given[count] = ticket;
      answers.add(answer);
    }

    @Override
    public void timing(Timing expected) {
      timing = expected;
    }
  }

  private @Nullable Asked take(long ticket) {
    Asked copy = tickets.take(ticket);
    if (copy != null) {
      copy.over = true;
      unansweredBytes -= copy.bytes;
      stopWaiting(copy);
    }
    return copy;
  }

  private void stopWaiting(Asked copy) {
    switch (copy.wait) {
      case USUAL -> waiting--;
      case KEEP_ALIVE -> waitingPatiently--;
      case SLOW -> {}
    }
  }

  /** Neighbouring answers for one speaker are told in one event. */
  private void tellSpeakers(long now) {
    String hint = null;
    int at = 0;
    while (at < answers.size()) {
      Asked first = asked.get(at);
      if (first == null) {
        at++;
        continue;
      }
      int from = at;
      while (at < answers.size() && isFor(first.speaker, asked.get(at))) {
        if (answers.get(at) instanceof Answer.NotLeader denied) {
          hint = denied.leader();
        }
        at++;
      }
      tellSpeaker(first.speaker, from, at, now);
    }
    if (hint != null) {
      nodes.denied(this, hint, now);
    }
  }

  private static boolean isFor(Speaker speaker, @Nullable Asked copy) {
    return copy == null || copy.speaker == speaker;
  }

  /** A failure of one speaker, or with one answer, does not keep the others from theirs. */
  private void tellSpeaker(Speaker speaker, int from, int to, long now) {
    try {
      speaker.enter(now);
      try {
        for (int i = from; i < to; i++) {
          Asked copy = asked.get(i);
          if (copy != null) {
            tell(speaker, copy, answers.get(i));
          }
        }
      } finally {
        speaker.exit();
      }
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }

  private static void tell(Speaker speaker, Asked copy, Answer answer) {
    try {
      speaker.answered(copy.what, copy.copy, answer);
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }

  // ---- dying ----------------------------------------------------------------------------------

  private void ring(long now) {
    closeIfSilent(now);
  }

  /** Gives the connection up if something has been waiting for too long and nothing came at all. */
  void closeIfSilent(long now) {
    long next = Long.MAX_VALUE;
    synchronized (lock) {
      if (dead) {
        return;
      }
      if (waiting > 0) {
        next = Math.max(heardMillis, waitingSinceMillis) + patience(false);
      }
      if (waitingPatiently > 0) {
        long late = Math.max(heardMillis, waitingPatientlySinceMillis) + patience(true);
        next = Math.min(next, late);
      }
    }
    if (next <= now) {
      close("no answer for " + pace.answerTimeoutMillis() + " ms");
    } else {
      nodes.alarms().wakeBy(alarm, next);
    }
  }

  /** Gives the connection up; everyone who waits here goes another way (C4). */
  void close(String reason) {
    Line ended;
    synchronized (lock) {
      ended = line;
    }
    closed(reason);
    if (ended != null) {
      ended.close(reason);
    }
  }

  @Override
  public void closed(String reason) {
    List<Asked> unanswered;
    synchronized (lock) {
      if (dead) {
        return;
      }
      dead = true;
      unanswered = tickets.takeAll();
      unanswered.addAll(backlog.takeAll());
      for (Asked copy : unanswered) {
        copy.over = true;
      }
    }
    nodes.alarms().forget(alarm);
    nodes.closed(this, reason, unanswered);
  }
}
