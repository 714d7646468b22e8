package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One key of the key-value service. Versions come from one count for all keys, so that from the
 * view of one key a write may get any greater version; that of a write whose answer nobody heard is
 * open until somebody reads it.
 */
final class OpaqueRegister extends Opaque<OpaqueRegister.Entry, OpaqueRegister.Ask> {
  private static final int PUT = 1;
  private static final int GET = 2;
  private static final int DELETE = 3;
  private static final int COMPARE_AND_SET = 4;
  private static final int PAGE = 5;
  private static final int STORED = 1;
  private static final int FOUND = 2;
  private static final int ABSENT = 3;
  private static final int DELETED = 4;
  private static final long OPEN = -1;

  /** What is there; no value and version 0 if nothing is. */
  record Entry(@Nullable Bytes value, long version) {}

  record Ask(int code, long expected, Bytes value) {}

  @Override
  @Nullable Object key(Bytes payload) {
    Words words = new Words(payload);
    return words.u8() == PAGE ? null : words.bytes();
  }

  @Override
  Ask input(Bytes payload) {
    Words words = new Words(payload);
    int code = words.u8();
    words.bytes();
    long expected = code == COMPARE_AND_SET ? words.varint() : 0;
    return new Ask(code, expected, words.rest());
  }

  @Override
  public Entry initial() {
    return new Entry(null, 0);
  }

  @Override
  public List<Entry> step(Entry state, Ask input, @Nullable Reply output) {
    return switch (input.code()) {
      case PUT -> put(state, input.value(), output);
      case GET -> get(state, output);
      case DELETE -> delete(state, output);
      case COMPARE_AND_SET -> compareAndSet(state, input, output);
      default -> List.of();
    };
  }

  private static List<Entry> put(Entry state, Bytes value, @Nullable Reply output) {
    if (output == null) {
      return List.of(new Entry(value, OPEN));
    }
    Words words = new Words(output.bytes());
    if (output.kind() != Reply.Kind.OK || words.u8() != STORED) {
      return List.of();
    }
    long version = words.varint();
    return version > state.version() ? List.of(new Entry(value, version)) : List.of();
  }

  private static List<Entry> get(Entry state, @Nullable Reply output) {
    if (output == null) {
      return List.of(state);
    }
    Words words = new Words(output.bytes());
    int code = output.kind() == Reply.Kind.OK ? words.u8() : 0;
    if (code == ABSENT) {
      return state.value() == null ? List.of(state) : List.of();
    } else if (code != FOUND || state.value() == null) {
      return List.of();
    }
    long version = words.varint();
    boolean same = state.version() == version || state.version() == OPEN;
    return same && words.rest().equals(state.value())
        ? List.of(new Entry(state.value(), version))
        : List.of();
  }

  private static List<Entry> delete(Entry state, @Nullable Reply output) {
    Entry gone = new Entry(null, 0);
    if (output == null) {
      return List.of(gone);
    }
    Words words = new Words(output.bytes());
    return output.kind() == Reply.Kind.OK
            && words.u8() == DELETED
            && words.u8() == (state.value() == null ? 0 : 1)
        ? List.of(gone)
        : List.of();
  }

  private static List<Entry> compareAndSet(Entry state, Ask ask, @Nullable Reply output) {
    boolean open = state.version() == OPEN;
    boolean equal = state.version() == ask.expected();
    if (output == null) {
      Entry written = new Entry(ask.value(), OPEN);
      // No key that is there has version 0, so that an open version is never that of nothing.
      boolean mayDiffer = open || !equal;
      boolean mayMatch = equal || open && ask.expected() > 0;
      return mayDiffer ? (mayMatch ? List.of(written, state) : List.of(state)) : List.of(written);
    }
    if (output.kind() == Reply.Kind.OK) {
      boolean possible = equal || open && ask.expected() > 0;
      return possible
          ? put(new Entry(state.value(), ask.expected()), ask.value(), output)
          : List.of();
    }
    return differing(state, ask, output.bytes().asText());
  }

  private static List<Entry> differing(Entry state, Ask ask, String told) {
    String end = ", expected " + ask.expected();
    if (state.version() != OPEN) {
      boolean honest =
          state.version() != ask.expected() && told.equals("version is " + state.version() + end);
      return honest ? List.of(state) : List.of();
    }
    if (!told.startsWith("version is ") || !told.endsWith(end)) {
      return List.of();
    }
    long version =
        Long.parseLong(told.substring("version is ".length(), told.length() - end.length()));
    return version > 0 && version != ask.expected()
        ? List.of(new Entry(state.value(), version))
        : List.of();
  }
}
