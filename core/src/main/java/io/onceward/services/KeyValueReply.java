package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.util.ArrayList;
import java.util.List;

/** What the key-value service answers when all is well; a business error is a text. */
public sealed interface KeyValueReply {

  /**
   * The value is stored.
   *
   * @param version above every version that the service gave before, so that no version of a key
   *     ever returns, not even after the key was deleted
   */
  record Stored(long version) implements KeyValueReply {}

  record Found(Bytes value, long version) implements KeyValueReply {}

  /** There is no such key. */
  record Absent() implements KeyValueReply {}

  record Deleted(boolean existed) implements KeyValueReply {}

  /**
   * One page of a list.
   *
   * @param more whether there are further entries behind the last one of this page
   */
  record Entries(List<Entry> entries, boolean more) implements KeyValueReply {}

  /** A key with its value. */
  record Entry(Bytes key, Bytes value, long version) {}

  static Bytes encode(KeyValueReply reply) {
    if (reply instanceof Stored r) {
      return new PayloadWriter(1, 0).varint(r.version()).done();
    } else if (reply instanceof Found r) {
      return new PayloadWriter(2, r.value().length()).varint(r.version()).rest(r.value()).done();
    } else if (reply instanceof Absent) {
      return new PayloadWriter(3, 0).done();
    } else if (reply instanceof Deleted r) {
      return new PayloadWriter(4, 0).u8(r.existed() ? 1 : 0).done();
    } else if (reply instanceof Entries r) {
      PayloadWriter out = new PayloadWriter(5, atMostBytesOf(r.entries()));
      out.u8(r.more() ? 1 : 0).varint(r.entries().size());
      for (Entry entry : r.entries()) {
        out.bytes(entry.key()).varint(entry.version()).bytes(entry.value());
      }
      return out.done();
    }
    throw new IllegalArgumentException("no code is for " + reply);
  }

  /** Pages are long: they are not to be copied from one buffer that is too small to the next. */
  private static int atMostBytesOf(List<Entry> entries) {
    long bytes = PayloadWriter.LONGEST_NUMBER;
    for (Entry entry : entries) {
      bytes += 3L * PayloadWriter.LONGEST_NUMBER + entry.key().length() + entry.value().length();
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE / 2);
  }

  /**
   * Reads a reply; its bytes are views into the payload.
   *
   * @throws DamagedException naming the offset and what is wrong there
   */
  static KeyValueReply decode(Bytes payload) {
    PayloadReader in = new PayloadReader("key-value reply", payload);
    int code = in.u8();
    KeyValueReply reply =
        switch (code) {
          case 1 -> new Stored(version(in));
          case 2 -> {
            long version = version(in);
            yield new Found(in.rest(), version);
          }
          case 3 -> new Absent();
          case 4 -> new Deleted(in.flag("existed"));
          case 5 -> entries(in);
          default -> throw in.unknown("reply", code, 5);
        };
    in.finish();
    return reply;
  }

  private static KeyValueReply entries(PayloadReader in) {
    boolean more = in.flag("more");
    int count = (int) in.number("number of entries", 0, ServiceLimits.LIST_ENTRIES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Bytes key = in.bytes("key", 1, ServiceLimits.KEY_BYTES);
      long version = version(in);
      entries.add(new Entry(key, in.bytes("value", 0, Integer.MAX_VALUE), version));
    }
    return new Entries(List.copyOf(entries), more);
  }

  private static long version(PayloadReader in) {
    return in.number("version", 1, Long.MAX_VALUE);
  }
}
