package io.onceward.wire;

import static io.onceward.wire.CommonFields.D;
import static io.onceward.wire.CommonFields.V;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Reply;

/**
 * The messages {@code Replied} and {@code Execution}, which tell an execution in the same fields:
 * the one as a decision, the other as an outcome, which is never a replay.
 */
final class ExecutionFields {
  static final int KIND = 1;
  static final int BYTES = 2;
  static final int POSITION = 3;
  static final int TIME_MILLIS = 4;
  static final int REPLAY = 5;

  private ExecutionFields() {}

  static void writeExecuted(ProtoWriter out, Outcome.Executed executed) {
    CommonFields.writeReply(out, executed.reply());
    out.number(POSITION, executed.position());
    out.number(TIME_MILLIS, executed.timeMillis());
  }

  static Outcome.Executed readExecuted(ProtoReader in) {
    Decision.Replied replied = readReplied(in);
    return new Outcome.Executed(replied.reply(), replied.position(), replied.timeMillis());
  }

  static Decision.Replied readReplied(ProtoReader in) {
    int kind = 0;
    Bytes bytes = Bytes.EMPTY;
    long position = 0;
    long timeMillis = 0;
    boolean replay = false;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case KIND << 3 | V -> kind = in.code();
        case BYTES << 3 | D -> bytes = in.bytes();
        case POSITION << 3 | V -> position = in.varint();
        case TIME_MILLIS << 3 | V -> timeMillis = in.varint();
        case REPLAY << 3 | V -> replay = in.flag();
        default -> in.skip(tag);
      }
    }
    Reply reply = new Reply(Reply.Kind.ofCode(kind), bytes);
    return new Decision.Replied(reply, replay, position, timeMillis);
  }
}
