package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A counter: what is asked is the amount, 0 for a read. */
final class OpaqueCounter extends Opaque<Long, Long> {
  private static final int ADD = 1;

  @Override
  Object key(Bytes payload) {
    Words words = new Words(payload);
    words.u8();
    return words.text();
  }

  @Override
  Long input(Bytes payload) {
    Words words = new Words(payload);
    boolean adds = words.u8() == ADD;
    words.text();
    return adds ? words.i64() : 0;
  }

  @Override
  public Long initial() {
    return 0L;
  }

  @Override
  public List<Long> step(Long state, Long input, @Nullable Reply output) {
    long after = state + input;
    boolean overflows = ((state ^ after) & (input ^ after)) < 0;
    if (overflows) {
      return output == null || output.kind() == Reply.Kind.BUSINESS_ERROR
          ? List.of(state)
          : List.of();
    }
    return output == null || tells(output, after) ? List.of(after) : List.of();
  }

  private static boolean tells(Reply reply, long value) {
    Bytes bytes = reply.bytes();
    return reply.kind() == Reply.Kind.OK && bytes.length() == 9 && bytes.longAt(1) == value;
  }
}
