package io.onceward.wire;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message that a node sends: answers, each with the ticket of its question. They come in the
 * order in which they became known, which need not be the order of the questions. It may also tell
 * the {@link Timing} of the cluster, which nobody asks for.
 */
public final class Answers {
  private static final int GIVEN = 1;
  private static final int TIMING = 2;

  private static final int KEEP_ALIVE_MILLIS = 1;
  private static final int SESSION_EXPIRY_MILLIS = 2;
  private static final int DURABLE_EXPIRY_MILLIS = 3;

  private Answers() {}

  public record Given(long ticket, Answer answer) {}

  /** Whom a message is read to. */
  @FunctionalInterface
  public interface Sink {
    /**
     * An answer. One that this build cannot understand, because a later one gave it, is told as
     * {@link Answer.Unknown}: whatever it says, it is not known here.
     */
    void given(long ticket, Answer answer);

    /** What the cluster expects of idle clients now; nobody asked for it. */
    default void timing(Timing timing) {}
  }

  public static byte[] encode(List<Given> given) {
    Writer writer = new Writer();
    for (Given each : given) {
      writer.add(each.ticket(), each.answer());
    }
    return writer.out.take();
  }

  public static byte[] encode(Timing timing) {
    Writer writer = new Writer();
    writer.add(timing);
    return writer.out.take();
  }

  /**
   * Reads a message. Bytes in the answers are views into {@code message}, which must not change
   * while they are in use.
   *
   * @throws DamagedException if it is not a message; the sink has heard what stood before the
   *     damage
   */
  public static void decode(byte[] message, Sink sink) {
    ProtoReader in = new ProtoReader("message of answers", message);
    while (in.more()) {
      int tag = in.tag();
      if (tag == (GIVEN << 3 | ProtoWriter.DELIMITED)) {
        int outer = in.enter();
        decodeGiven(in, sink);
        in.leave(outer);
      } else if (tag == (TIMING << 3 | ProtoWriter.DELIMITED)) {
        int outer = in.enter();
        decodeTiming(in, sink);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  private static void decodeGiven(ProtoReader in, Sink sink) {
    long ticket = 0;
    Answer answer = null;
    String reason = "the answer says nothing";
    while (in.more()) {
      int tag = in.tag();
      if (tag == (AnswerFields.TICKET << 3 | ProtoWriter.VARINT)) {
        ticket = in.varint();
      } else if ((tag & 7) == ProtoWriter.DELIMITED) {
        int outer = in.enter();
        int end = in.end();
        try {
          Answer read = AnswerFields.read(ProtoReader.fieldOf(tag), in);
          if (read == null) {
            reason = "the answer is of a kind that is unknown to this build";
          } else {
            answer = read;
          }
        } catch (IllegalArgumentException e) {
          answer = null;
          reason = String.valueOf(e.getMessage());
        }
        in.leave(outer, end);
      } else {
        in.skip(tag);
      }
    }
    sink.given(ticket, orUnknown(answer, reason));
  }

  /** One that cannot be true is as good as none. */
  private static void decodeTiming(ProtoReader in, Sink sink) {
    long keepAlive = 0;
    long sessionExpiry = 0;
    long durableExpiry = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case KEEP_ALIVE_MILLIS << 3 | ProtoWriter.VARINT -> keepAlive = in.varint();
        case SESSION_EXPIRY_MILLIS << 3 | ProtoWriter.VARINT -> sessionExpiry = in.varint();
        case DURABLE_EXPIRY_MILLIS << 3 | ProtoWriter.VARINT -> durableExpiry = in.varint();
        default -> in.skip(tag);
      }
    }
    if (Timing.isPossible(keepAlive, sessionExpiry, durableExpiry)) {
      sink.timing(new Timing(keepAlive, sessionExpiry, durableExpiry));
    }
  }

  private static Answer orUnknown(@Nullable Answer answer, String reason) {
    return answer == null ? new Answer.Unknown(reason) : answer;
  }

  /** Fills one message after another. Not for several threads at once. */
  public static final class Writer {
    private final ProtoWriter out = new ProtoWriter();

    public void add(long ticket, Answer answer) {
      if (answer instanceof Answer.Decided decided
          && decided.decision() instanceof Decision.Replied replied) {
        addReplied(ticket, replied, decided.clusterTag());
        return;
      }
      int start = out.begin(GIVEN);
      out.number(AnswerFields.TICKET, ticket);
      AnswerFields.write(out, answer);
      out.end(start);
    }

    public void add(Timing timing) {
      int start = out.begin(TIMING);
      out.number(KEEP_ALIVE_MILLIS, timing.keepAliveMillis());
      out.number(SESSION_EXPIRY_MILLIS, timing.sessionExpiryMillis());
      out.number(DURABLE_EXPIRY_MILLIS, timing.durableExpiryMillis());
      out.end(start);
    }

    /**
     * Adds the answer that nearly all are, {@link Answer.Decided} with a reply, without the object
     * around it.
     */
    public void addReplied(long ticket, Decision.Replied replied, long clusterTag) {
      long decided = DecisionFields.sizeOfReplied(replied);
      long body = 2L + ProtoWriter.sizeOf(ticket) + ProtoWriter.sizeOf(decided) + decided;
      out.room(1 + ProtoWriter.sizeOf(body) + body);
      out.putTag(GIVEN, ProtoWriter.DELIMITED);
      out.putVarint(body);
      out.putTag(AnswerFields.TICKET, ProtoWriter.VARINT);
      out.putVarint(ticket);
      out.putTag(AnswerFields.DECIDED, ProtoWriter.DELIMITED);
      out.putVarint(decided);
      DecisionFields.putReplied(out, replied, clusterTag);
    }

    /** The length of the message so far. */
    public int bytes() {
      return out.length();
    }

    public boolean isEmpty() {
      return out.length() == 0;
    }

    /** The message so far, which is not to be used any more when the writer is. */
    public Bytes written() {
      return out.written();
    }

    /** The message; the next one begins empty. */
    public Bytes take() {
      return out.handOver();
    }

    /** Gives up memory, if the message is empty. */
    public void shrink() {
      out.shrink();
    }

    /** Forgets the message; the next one begins empty. */
    public void clear() {
      out.clear();
    }
  }
}
