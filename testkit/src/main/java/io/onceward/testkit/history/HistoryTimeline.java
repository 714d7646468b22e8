package io.onceward.testkit.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * How a recorded run went over time: what its clients heard in each stretch of it, and how long
 * they had waited for that. Takes one file at a time, and of it a number per op; the stretches take
 * memory in proportion to their number alone.
 */
public final class HistoryTimeline {
  /** An answer counts where it was heard, however long ago its op was invoked. */
  private static final long NANOS_PER_MICRO = 1_000;

  /**
   * What was heard in one stretch of time. Waits are those for answers to copies of requests and to
   * queries, right to about 2 %; all three are -1 if there were none.
   *
   * @param fromNanos when it begins, in the time of the history
   * @param executed answers of first executions
   * @param replayed answers that were remembered from an earlier copy
   * @param refused ops that were refused
   * @param unknown waits that ended without a decision
   * @param queries questions that were answered
   */
  public record Stretch(
      long fromNanos,
      long executed,
      long replayed,
      long refused,
      long unknown,
      long queries,
      long p50Micros,
      long p99Micros,
      long maxMicros) {}

  private static final class Tally {
    long executed;
    long replayed;
    long refused;
    long unknown;
    long queries;
    final Waits waits = new Waits();
  }

  private final long fromNanos;
  private final long stretchNanos;
  private final List<Tally> tallies = new ArrayList<>();
  private long unanswered;

  private HistoryTimeline(long fromNanos, long untilNanos, long stretchNanos) {
    this.fromNanos = fromNanos;
    this.stretchNanos = stretchNanos;
    for (long at = fromNanos; at - untilNanos < 0; at += stretchNanos) {
      tallies.add(new Tally());
    }
  }

  /**
   * Reads the files of a run once.
   *
   * @param fromNanos in the time of the history, as is untilNanos; what ends outside is left out
   * @param stretchNanos how long a stretch is; the last one may reach beyond untilNanos
   * @throws IOException if a file cannot be read
   * @throws io.onceward.DamagedException if one is not as it was written, but for a torn last event
   */
  public static HistoryTimeline of(
      List<Path> files, long fromNanos, long untilNanos, long stretchNanos) throws IOException {
    if (stretchNanos <= 0) {
      throw new IllegalArgumentException("a stretch of " + stretchNanos + " ns");
    }
    HistoryTimeline timeline = new HistoryTimeline(fromNanos, untilNanos, stretchNanos);
    for (Path file : files) {
      timeline.read(HistoryFile.open(file));
    }
    return timeline;
  }

  private void read(HistoryFile file) {
    if (file.ops() > Integer.MAX_VALUE - 16) {
      throw new IllegalArgumentException("a history has at most 2^31 ops");
    }
    int ops = (int) file.ops();
    long[] invoked = new long[ops + 1];
    byte[] kinds = new byte[ops + 1];
    BitSet decided = new BitSet(ops + 1);
    BitSet givenUp = new BitSet(ops + 1);
    file.forEach(
        (offset, body) -> {
          byte type = body.get(0);
          if (type == RecordLayout.NAME) {
            return;
          }
          int op = (int) body.getLong(RecordLayout.OP);
          if (type == RecordLayout.INVOKED) {
            invoked[op] = body.getLong(RecordLayout.NANOS);
            kinds[op] = body.get(RecordLayout.KIND);
          } else if (type == RecordLayout.UNKNOWN) {
            if (!decided.get(op) && !givenUp.get(op)) {
              givenUp.set(op);
              count(body, OpKind.ofCode(kinds[op]), invoked[op]);
            }
          } else if (!decided.get(op)) {
            decided.set(op);
            count(body, OpKind.ofCode(kinds[op]), invoked[op]);
          }
        });
    decided.or(givenUp);
    unanswered += ops - decided.cardinality();
  }

  private void count(ByteBuffer body, OpKind kind, long invokedNanos) {
    long endedNanos = body.getLong(RecordLayout.NANOS);
    long place = Math.floorDiv(endedNanos - fromNanos, stretchNanos);
    if (place < 0 || place >= tallies.size()) {
      return;
    }
    Tally tally = tallies.get((int) place);
    switch (body.get(0)) {
      case RecordLayout.ANSWERED -> {
        if (kind == OpKind.QUERY) {
          tally.queries++;
        } else if ((body.get(RecordLayout.FLAGS) & RecordLayout.REPLAY) != 0) {
          tally.replayed++;
        } else {
          tally.executed++;
        }
        // An inquiry may be about a request that another process sent long before.
        if (kind != OpKind.INQUIRY) {
          tally.waits.add(Math.max(0, (endedNanos - invokedNanos) / NANOS_PER_MICRO));
        }
      }
      case RecordLayout.REFUSED -> tally.refused++;
      default -> tally.unknown++;
    }
  }

  /** All stretches, one after the other, the quiet ones too. */
  public List<Stretch> stretches() {
    List<Stretch> stretches = new ArrayList<>(tallies.size());
    for (int i = 0; i < tallies.size(); i++) {
      Tally tally = tallies.get(i);
      stretches.add(
          new Stretch(
              fromNanos + i * stretchNanos,
              tally.executed,
              tally.replayed,
              tally.refused,
              tally.unknown,
              tally.queries,
              tally.waits.share(50),
              tally.waits.share(99),
              tally.waits.longest()));
    }
    return stretches;
  }

  public long stretchNanos() {
    return stretchNanos;
  }

  /** Ops whose process ended before it heard anything about them. */
  public long unanswered() {
    return unanswered;
  }
}
