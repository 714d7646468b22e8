package io.onceward.guard;

import io.onceward.Bytes;

/** How a result becomes the bytes that are remembered, and comes back from them. */
public interface Codec<T> {
  Bytes encode(T value);

  T decode(Bytes bytes);

  /** Text as UTF-8. */
  static Codec<String> text() {
    return of(Bytes::utf8, Bytes::asText);
  }

  static Codec<Bytes> bytes() {
    return of(value -> value, value -> value);
  }

  static <T> Codec<T> of(
      java.util.function.Function<T, Bytes> encode, java.util.function.Function<Bytes, T> decode) {
    return new Codec<>() {
      @Override
      public Bytes encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(Bytes bytes) {
        return decode.apply(bytes);
      }
    };
  }
}
