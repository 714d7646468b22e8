package io.onceward.testkit.history.numbered;

import io.onceward.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What {@link ListAppends} is asked, as bytes: a code, the length of the key as an i16, the key in
 * UTF-8, and for an append the value.
 */
public final class ListCommand {
  static final byte APPEND = 1;
  static final byte READ = 2;

  private ListCommand() {}

  /** Appends a value; answered by length and digest of the longer list. */
  public static Bytes append(String key, Bytes value) {
    return encode(APPEND, key, value);
  }

  /** Answered by length and digest; also as a query. */
  public static Bytes read(String key) {
    return encode(READ, key, Bytes.EMPTY);
  }

  private static Bytes encode(byte code, String key, Bytes value) {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    if (name.length > Short.MAX_VALUE) {
      throw new IllegalArgumentException("a key of " + name.length + " bytes is too long");
    }
    ByteBuffer bytes = ByteBuffer.allocate(3 + name.length + value.length());
    bytes.put(code).putShort((short) name.length).put(name).put(value.toArray());
    return Bytes.of(bytes.array());
  }
}
