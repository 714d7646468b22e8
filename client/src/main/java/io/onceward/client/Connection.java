package io.onceward.client;

import io.onceward.DamagedException;
import io.onceward.client.Tickets.Asked;
import io.onceward.client.session.Pace;
import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
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
  private final ArrayDeque<byte[]> closedMessages = new ArrayDeque<>();
  private boolean writing;
  private boolean dead;
  private int waiting;
  private int waitingPatiently;
  private long heardMillis;
  private long waitingSinceMillis;
  private long waitingPatientlySinceMillis;

  // On the transport's thread.
  private final List<Asked> asked = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private long[] given = new long[64];

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
    Line opened = transport.connect(address, this);
    synchronized (lock) {
      line = opened;
    }
    flush();
  }

  // ---- asking ---------------------------------------------------------------------------------

  /** Adds a question to the next message; false if the connection is dead and nothing was added. */
  boolean add(Asked copy, Question question, long nowMillis) {
    boolean first;
    synchronized (lock) {
      if (dead) {
        return false;
      }
      if (copy.patient()) {
        first = waitingPatiently++ == 0;
        if (first) {
          waitingPatientlySinceMillis = nowMillis;
        }
      } else {
        first = waiting++ == 0;
        if (first) {
          waitingSinceMillis = nowMillis;
        }
      }
      writer.add(tickets.add(copy), question);
      if (writer.bytes() >= MESSAGE_BYTES) {
        closedMessages.add(writer.take());
      }
    }
    if (first) {
      nodes.alarms().wakeBy(alarm, nowMillis + patience(copy.patient()));
    }
    return true;
  }

  private long patience(boolean patient) {
    return pace.answerTimeoutMillis() + (patient ? pace.keepAliveMillis() : 0);
  }

  /** Sends what was added, unless a message is under way: then it follows that one. */
  void flush() {
    byte[] message;
    synchronized (lock) {
      if (writing) {
        return;
      }
      message = takeMessage();
      if (message == null) {
        return;
      }
      writing = true;
    }
    send(message);
  }

  /** The message before was handed to the network. */
  private void wrote() {
    byte[] message;
    synchronized (lock) {
      message = takeMessage();
      if (message == null) {
        writing = false;
        return;
      }
    }
    send(message);
  }

  private byte @Nullable [] takeMessage() {
    if (dead || line == null || closedMessages.isEmpty() && writer.isEmpty() || !line.isReady()) {
      return null;
    }
    return closedMessages.isEmpty() ? writer.take() : closedMessages.remove();
  }

  private void send(byte[] message) {
    Line to = line;
    if (to != null) {
      to.send(message);
      // Runs behind the write that was just queued there: until then, questions come together.
      transport.execute(this::wrote);
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
    try {
      Answers.decode(message, this::collect);
    } catch (DamagedException e) {
      close("what the node sent is no message: " + e.getMessage());
      return;
    }
    synchronized (lock) {
      heardMillis = now;
      for (int i = 0; i < answers.size(); i++) {
        asked.add(take(given[i]));
      }
    }
    nodes.cork();
    try {
      tellSpeakers(now);
    } finally {
      nodes.uncork();
    }
  }

  private void collect(long ticket, Answer answer) {
    int count = answers.size();
    if (count == given.length) {
      given = Arrays.copyOf(given, count * 2);
    }
    given[count] = ticket;
    answers.add(answer);
  }

  private @Nullable Asked take(long ticket) {
    Asked copy = tickets.take(ticket);
    if (copy != null) {
      if (copy.patient()) {
        waitingPatiently--;
      } else {
        waiting--;
      }
    }
    return copy;
  }

  /** Neighbouring answers for one speaker are told in one event. */
  private void tellSpeakers(long now) {
    String hint = null;
    Speaker speaker = null;
    try {
      for (int i = 0; i < answers.size(); i++) {
        Asked copy = asked.get(i);
        if (copy == null) {
          continue;
        }
        if (copy.speaker() != speaker) {
          Speaker before = speaker;
          speaker = null;
          if (before != null) {
            before.exit();
          }
          copy.speaker().enter(now);
          speaker = copy.speaker();
        }
        Answer answer = answers.get(i);
        if (answer instanceof Answer.NotLeader denied) {
          hint = denied.leader();
        }
        speaker.answered(copy.what(), copy.copy(), answer);
      }
    } finally {
      if (speaker != null) {
        speaker.exit();
      }
    }
    if (hint != null) {
      nodes.denied(this, hint, now);
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
    }
    nodes.alarms().forget(alarm);
    nodes.closed(this, reason, unanswered);
  }
}
