package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What a client wants to read while it has not read earlier answers, in the order asked. */
final class PostponedReads {
  record Read(long ticket, Question question) {}

  /** What one takes beside what it names, and its place in the queue, which is doubled. */
  private static final long READ_BYTES = 160;

  /** A new one for each crowd: it would stay as long as the longest. */
  private ArrayDeque<Read> reads = new ArrayDeque<>();

  private long bytes;

  /** A query is a view; it must not hold on to the message that it came with. */
  void add(long ticket, Question question) {
    Question kept =
        question instanceof Question.Query query
            ? new Question.Query(Bytes.of(query.question().toArray()))
            : question;
    reads.add(new Read(ticket, kept));
    bytes += bytesOf(kept);
  }

  @Nullable Read poll() {
    Read first = reads.poll();
    if (first != null) {
      bytes -= bytesOf(first.question);
      if (reads.isEmpty()) {
        clear();
      }
    }
    return first;
  }

  boolean isEmpty() {
    return reads.isEmpty();
  }

  /** What they take in memory. */
  long bytes() {
    return bytes;
  }

  void clear() {
    reads = new ArrayDeque<>();
    bytes = 0;
  }

  /** What a question takes in memory while it waits, here or at the door. */
  static long bytesOf(Question question) {
    if (question instanceof Question.Query query) {
      return READ_BYTES + query.question().length();
    } else if (question instanceof Question.SessionNamed named) {
      return READ_BYTES + 2L * named.name().length();
    } else if (question instanceof Question.OutcomeOfKey outcome) {
      return READ_BYTES + 2L * outcome.scope().name().length();
    } else if (question instanceof Question.TransferLeadership transfer) {
      return READ_BYTES + 2L * transfer.member().length();
    } else if (question instanceof Question.RemoveMember remove) {
      return READ_BYTES + 2L * remove.member().length();
    } else if (question instanceof Question.AddMember add) {
      return READ_BYTES + 2L * (add.member().id().length() + add.member().host().length());
    }
    return READ_BYTES;
  }
}
