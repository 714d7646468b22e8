package io.onceward.wire;

import static io.onceward.wire.CommonFields.D;
import static io.onceward.wire.CommonFields.F;
import static io.onceward.wire.CommonFields.V;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/** The message {@code Decided}: which cluster speaks, and what it decided. */
final class DecisionFields {
  private static final int CLUSTER_TAG = 1;
  private static final int REPLIED = 2;
  private static final int OPENED = 3;
  private static final int REFUSED = 4;
  private static final int ABANDONED = 5;
  private static final int DONE = 6;
  private static final int FORGOT = 7;
  private static final int REJECTED = 8;

  private DecisionFields() {}

  /** The length of what {@link #putReplied} puts for this decision. */
  static long sizeOfReplied(Decision.Replied replied) {
    long body = sizeOfExecution(replied);
    return 1 + Long.BYTES + 1 + ProtoWriter.sizeOf(body) + body;
  }

  /** Puts a {@code Decided} with a reply, for which there is room. */
  static void putReplied(ProtoWriter out, Decision.Replied replied, long clusterTag) {
    out.putTag(CLUSTER_TAG, ProtoWriter.FIXED64);
    out.putFixed64(clusterTag);
    out.putTag(REPLIED, ProtoWriter.DELIMITED);
    out.putVarint(sizeOfExecution(replied));
    int kind = replied.reply().kind().code();
    Bytes bytes = replied.reply().bytes();
    if (kind != 0) {
      out.putTag(ExecutionFields.KIND, ProtoWriter.VARINT);
      out.putVarint(kind);
    }
    if (bytes.length() > 0) {
      out.putTag(ExecutionFields.BYTES, ProtoWriter.DELIMITED);
      out.putVarint(bytes.length());
      out.putBytes(bytes);
    }
    out.putTag(ExecutionFields.POSITION, ProtoWriter.VARINT);
    out.putVarint(replied.position());
    out.putTag(ExecutionFields.TIME_MILLIS, ProtoWriter.VARINT);
    out.putVarint(replied.timeMillis());
    if (replied.replay()) {
      out.putTag(ExecutionFields.REPLAY, ProtoWriter.VARINT);
      out.putVarint(1);
    }
  }

  private static long sizeOfExecution(Decision.Replied replied) {
    int bytes = replied.reply().bytes().length();
    return (replied.reply().kind() == Reply.Kind.OK ? 0 : 2)
        + (bytes == 0 ? 0 : 1L + ProtoWriter.sizeOf(bytes) + bytes)
        + (2 + ProtoWriter.sizeOf(replied.position()) + ProtoWriter.sizeOf(replied.timeMillis()))
        + (replied.replay() ? 2 : 0);
  }

  /** Writes the fields of a {@code Decided} with any decision but a reply. */
  static void write(ProtoWriter out, Decision decision, long clusterTag) {
    out.fixed64(CLUSTER_TAG, clusterTag);
    int start = out.begin(fieldOf(decision));
    if (decision instanceof Decision.Opened d) {
      out.number(1, d.session());
      out.number(2, d.incarnation());
      out.number(3, d.watermark());
      out.number(4, d.nextSequence());
      out.number32(5, d.window());
      out.flag(6, d.ordered());
    } else if (decision instanceof Decision.Refused d) {
      out.number(1, d.refusal().code());
      out.text(2, d.limit());
      out.number(3, codeOf(d.executed()));
    } else if (decision instanceof Decision.Abandoned d) {
      out.flag(1, d.forEver());
    } else if (decision instanceof Decision.Forgot d) {
      out.number(1, d.records());
    } else if (decision instanceof Decision.Rejected d) {
      out.text(1, d.reason());
    }
    out.end(start);
  }

  private static int fieldOf(Decision decision) {
    if (decision instanceof Decision.Opened) {
      return OPENED;
    } else if (decision instanceof Decision.Refused) {
      return REFUSED;
    } else if (decision instanceof Decision.Abandoned) {
      return ABANDONED;
    } else if (decision instanceof Decision.Done) {
      return DONE;
    } else if (decision instanceof Decision.Forgot) {
      return FORGOT;
    } else if (decision instanceof Decision.Rejected) {
      return REJECTED;
    }
    throw new IllegalArgumentException("no field is for " + decision);
  }

  /**
   * Reads a {@code Decided} which the caller has entered; null if this build knows no such
   * decision.
   */
  static Answer.@Nullable Decided read(ProtoReader in) {
    long clusterTag = 0;
    Decision decision = null;
    while (in.more()) {
      int tag = in.tag();
      if (tag == (CLUSTER_TAG << 3 | F)) {
        clusterTag = in.fixed64();
      } else if ((tag & 7) == D) {
        int outer = in.enter();
        Decision read = readDecision(ProtoReader.fieldOf(tag), in);
        decision = read == null ? decision : read;
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
    return decision == null ? null : new Answer.Decided(decision, clusterTag);
  }

  private static @Nullable Decision readDecision(int field, ProtoReader in) {
    return switch (field) {
      case REPLIED -> ExecutionFields.readReplied(in);
      case OPENED -> opened(in);
      case REFUSED -> refused(in);
      case ABANDONED -> new Decision.Abandoned(CommonFields.readNumber(in) != 0);
      case DONE -> new Decision.Done();
      case FORGOT -> new Decision.Forgot(CommonFields.readNumber(in));
      case REJECTED -> new Decision.Rejected(CommonFields.readText(in));
      default -> null;
    };
  }

  private static Decision opened(ProtoReader in) {
    long session = 0;
    long incarnation = 0;
    long watermark = 0;
    long nextSequence = 0;
    int window = 0;
    boolean ordered = false;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> session = in.varint();
        case 2 << 3 | V -> incarnation = in.varint();
        case 3 << 3 | V -> watermark = in.varint();
        case 4 << 3 | V -> nextSequence = in.varint();
        case 5 << 3 | V -> window = in.number32();
        case 6 << 3 | V -> ordered = in.flag();
        default -> in.skip(tag);
      }
    }
    return new Decision.Opened(session, incarnation, watermark, nextSequence, window, ordered);
  }

  private static Decision refused(ProtoReader in) {
    int refusal = 0;
    String limit = "";
    int executed = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> refusal = in.code();
        case 2 << 3 | D -> limit = in.text();
        case 3 << 3 | V -> executed = in.code();
        default -> in.skip(tag);
      }
    }
    Refusal known = Refusal.ofCode(refusal);
    return new Decision.Refused(known, limit, executedOf(executed, known));
  }

  private static int codeOf(Refusal.Executed executed) {
    return switch (executed) {
      case YES -> 1;
      case NEVER -> 2;
      case NOT_THIS_COPY -> 3;
    };
  }

  private static Refusal.Executed executedOf(int code, Refusal refusal) {
    return switch (code) {
      case 0 -> refusal.executed();
      case 1 -> Refusal.Executed.YES;
      case 2 -> Refusal.Executed.NEVER;
      case 3 -> Refusal.Executed.NOT_THIS_COPY;
      default ->
          throw new IllegalArgumentException(
              "whether it executed is told as " + code + "; 0 to 3 are allowed");
    };
  }
}
