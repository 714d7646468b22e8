package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of which length and digest are told: what is asked is the value, or null for a read. */
final class OpaqueList extends Opaque<OpaqueList.Grown, OpaqueList.Ask> {
  private static final int APPEND = 1;

  record Grown(long length, long digest) {}

  record Ask(@Nullable Bytes appended) {}

  @Override
  Object key(Bytes payload) {
    Words words = new Words(payload);
    words.u8();
    return words.shortText();
  }

  @Override
  Ask input(Bytes payload) {
    Words words = new Words(payload);
    boolean appends = words.u8() == APPEND;
    words.shortText();
    return new Ask(appends ? words.rest() : null);
  }

  @Override
  public Grown initial() {
    return new Grown(0, 0);
  }

  @Override
  public List<Grown> step(Grown state, Ask input, @Nullable Reply output) {
    Bytes value = input.appended();
    Grown after =
        value == null
            ? state
            : new Grown(state.length() + 1, ListModel.digest(state.digest(), value));
    return output == null || tells(output, after) ? List.of(after) : List.of();
  }

  private static boolean tells(Reply reply, Grown list) {
    Bytes bytes = reply.bytes();
    return reply.kind() == Reply.Kind.OK
        && bytes.length() == 2 * Long.BYTES
        && bytes.longAt(0) == list.length()
        && bytes.longAt(Long.BYTES) == list.digest();
  }
}
