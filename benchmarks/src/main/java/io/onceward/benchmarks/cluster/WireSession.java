package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;

/**
 * A session whose frames are made here. Some of its requests are sent twice: every other of these
 * right behind the first copy, the others once the first was answered, as if the answer had been
 * lost. The watermark stays below a request until all its copies are answered. One thread at a
 * time.
 */
final class WireSession {
  private static final int COPY_BITS = 1;
  private static final int SEQUENCE_BITS = 40;
  private static final int PERCENT = 100;

  /** Set beside the number of copies due once the second has been sent. */
  private static final int SENT = 4;

  /** How many of a hundred requests are sent twice, spread evenly: 50 means every other. */
  private final int twicePercent;

  private final int number;
  private final int window;
  private final Bytes payload;
  private final Fingerprint fingerprint;
  private final Request.Address address;

  /** By sequence modulo window: when it was sent, and how many copies still have to be answered. */
  private final long[] startNanos;

  private final byte[] copiesDue;

  private long next = 1;
  private long watermark = 1;
  private int owed;
  private int twiceShare;
  private boolean soonerThisTime;

  WireSession(int number, int window, int twicePercent, Bytes payload, Request.Address address) {
    this.number = number;
    this.window = window;
    this.twicePercent = twicePercent;
    this.payload = payload;
    this.fingerprint = Fingerprint.ofPayload(payload);
    this.address = address;
    this.startNanos = new long[window];
    this.copiesDue = new byte[window];
  }

  static int numberOf(long ticket) {
    return (int) (ticket >>> SEQUENCE_BITS + COPY_BITS);
  }

  private static long sequenceOf(long ticket) {
    return ticket >>> COPY_BITS & (1L << SEQUENCE_BITS) - 1;
  }

  static boolean isSecondCopy(long ticket) {
    return (ticket & 1) == 1;
  }

  /** Asks once more, as soon as the window permits. */
  void ask(Questions.Writer out) {
    owed++;
    while (owed > 0 && next < watermark + window) {
      owed--;
      askNow(out);
    }
  }

  private void askNow(Questions.Writer out) {
    long sequence = next++;
    int at = (int) (sequence % window);
    startNanos[at] = System.nanoTime();
    copiesDue[at] = 1;
    Question.Logged frame = frame(sequence);
    out.add(ticket(sequence, 0), frame);
    twiceShare += twicePercent;
    if (twiceShare < PERCENT) {
      return;
    }
    twiceShare -= PERCENT;
    copiesDue[at] = 2;
    soonerThisTime = !soonerThisTime;
    if (soonerThisTime) {
      out.add(ticket(sequence, 1), frame);
      copiesDue[at] = 2 | SENT;
    }
  }

  /** Takes the answer to the first copy; gives how long it took. */
  long answered(long ticket, Questions.Writer out) {
    long sequence = sequenceOf(ticket);
    int at = (int) (sequence % window);
    if (copiesDue[at] == 2) {
      out.add(ticket(sequence, 1), frame(sequence));
    }
    long nanos = System.nanoTime() - startNanos[at];
    copyAnswered(ticket);
    return nanos;
  }

  void copyAnswered(long ticket) {
    copiesDue[(int) (sequenceOf(ticket) % window)]--;
    while (watermark < next && (copiesDue[(int) (watermark % window)] & ~SENT) == 0) {
      watermark++;
    }
  }

  /** This copy was refused for now; sends it again. */
  void again(long ticket, Questions.Writer out) {
    out.add(ticket, frame(sequenceOf(ticket)));
  }

  /** Asks nothing more, not even what the window has held back. */
  void rest() {
    owed = 0;
  }

  boolean isSettled() {
    return watermark == next;
  }

  private long ticket(long sequence, int copy) {
    return ((long) number << SEQUENCE_BITS | sequence) << COPY_BITS | copy;
  }

  private Question.Logged frame(long sequence) {
    return new Question.Logged(
        Bytes.of(
            RequestCodec.encode(
                new Request.InSession(address, sequence, watermark, fingerprint, payload))));
  }
}
