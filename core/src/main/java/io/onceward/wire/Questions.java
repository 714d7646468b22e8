package io.onceward.wire;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message that a client sends: questions, each with a ticket. The client chooses the tickets,
 * unique within its stream, and finds them again at the answers, which come in any order.
 */
public final class Questions {
  private static final int ASKED = 1;

  private Questions() {}

  public record Asked(long ticket, Question question) {}

  /** Whom a message is read to. */
  public interface Sink {
    void asked(long ticket, Question question);

    /**
     * A question that this build cannot answer: of a kind that it does not know, or with a value
     * that is out of bounds. It did nothing; the others of the message are not concerned.
     *
     * @param reason one sentence for {@link Answer.Rejected}
     */
    void unknown(long ticket, String reason);
  }

  public static byte[] encode(List<Asked> asked) {
    Writer writer = new Writer();
    for (Asked each : asked) {
      writer.add(each.ticket(), each.question());
    }
    return writer.take();
  }

  /**
   * Reads a message. Bytes in the questions are views into {@code message}, which must not change
   * while they are in use.
   *
   * @throws DamagedException if it is not a message; the sink has heard what stood before the
   *     damage
   */
  public static void decode(byte[] message, Sink sink) {
    ProtoReader in = new ProtoReader("message of questions", message);
    while (in.more()) {
      int tag = in.tag();
      if (tag == (ASKED << 3 | ProtoWriter.DELIMITED)) {
        int outer = in.enter();
        decodeAsked(in, sink);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
  }

  private static void decodeAsked(ProtoReader in, Sink sink) {
    long ticket = 0;
    Question question = null;
    String reason = "it asks nothing";
    while (in.more()) {
      int tag = in.tag();
      if (tag == (QuestionFields.TICKET << 3 | ProtoWriter.VARINT)) {
        ticket = in.varint();
      } else if (tag == (QuestionFields.LOGGED << 3 | ProtoWriter.DELIMITED)) {
        question = new Question.Logged(in.bytes());
      } else if ((tag & 7) == ProtoWriter.DELIMITED) {
        int outer = in.enter();
        int end = in.end();
        try {
          Question read = QuestionFields.read(ProtoReader.fieldOf(tag), in);
          if (read == null) {
            reason = "questions of kind " + ProtoReader.fieldOf(tag) + " are unknown to this build";
          } else {
            question = read;
          }
        } catch (IllegalArgumentException e) {
          question = null;
          reason = String.valueOf(e.getMessage());
        }
        in.leave(outer, end);
      } else {
        in.skip(tag);
      }
    }
    tell(sink, ticket, question, reason);
  }

  private static void tell(Sink sink, long ticket, @Nullable Question question, String reason) {
    if (question == null) {
      sink.unknown(ticket, reason);
    } else {
      sink.asked(ticket, question);
    }
  }

  /** Fills one message after another. Not for several threads at once. */
  public static final class Writer {
    private final ProtoWriter out = new ProtoWriter();

    public void add(long ticket, Question question) {
      if (question instanceof Question.Logged logged) {
        addLogged(ticket, logged.frame());
        return;
      }
      int start = out.begin(ASKED);
      out.number(QuestionFields.TICKET, ticket);
      QuestionFields.write(out, question);
      out.end(start);
    }

    private void addLogged(long ticket, Bytes frame) {
      int length = frame.length();
      long body = 2L + ProtoWriter.sizeOf(ticket) + ProtoWriter.sizeOf(length) + length;
      out.room(1 + ProtoWriter.sizeOf(body) + body);
      out.putTag(ASKED, ProtoWriter.DELIMITED);
      out.putVarint(body);
      out.putTag(QuestionFields.TICKET, ProtoWriter.VARINT);
      out.putVarint(ticket);
      out.putTag(QuestionFields.LOGGED, ProtoWriter.DELIMITED);
      out.putVarint(length);
      out.putBytes(frame);
    }

    /** The length of the message so far. */
    public int bytes() {
      return out.length();
    }

    public boolean isEmpty() {
      return out.length() == 0;
    }

    /** The message; the next one begins empty. */
    public byte[] take() {
      return out.take();
    }
  }
}
