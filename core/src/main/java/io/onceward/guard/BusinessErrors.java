package io.onceward.guard;

import io.onceward.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What exceptions mean to a {@link Once}, and how those that are business errors become bytes and
 * come back. The class nearest to the thrown one decides.
 *
 * <p>Layout of the remembered bytes: an exception that was mapped is a zero byte, the length of its
 * class name in two bytes, the name in UTF-8, and what its mapping wrote; anything else is the
 * error as it is. No text begins with a zero byte; bytes that do are written with an empty name.
 */
final class BusinessErrors {
  private static final byte NAMED = 0;

  private record Mapping<E extends Throwable>(
      Class<E> type,
      Function<? super E, Bytes> encode,
      Function<? super Bytes, ? extends E> decode) {
    Bytes encoded(Throwable error) {
      return encode.apply(type.cast(error));
    }
  }

  private final Map<Class<?>, Meaning> meanings = new HashMap<>();
  private final Map<Class<?>, Mapping<?>> mappings = new HashMap<>();
  private final Map<String, Mapping<?>> byName = new HashMap<>();
  private Function<? super Throwable, Meaning> otherwise = any -> Meaning.UNKNOWN;
  private Function<? super Throwable, Bytes> otherBytes =
      error -> Bytes.utf8(String.valueOf(error.getMessage()));

  BusinessErrors() {}

  /** A copy that the builder does not change any more. */
  BusinessErrors(BusinessErrors from) {
    meanings.putAll(from.meanings);
    mappings.putAll(from.mappings);
    byName.putAll(from.byName);
    otherwise = from.otherwise;
    otherBytes = from.otherBytes;
  }

  <E extends Throwable> void map(
      Class<E> type,
      Function<? super E, Bytes> encode,
      Function<? super Bytes, ? extends E> decode) {
    means(type, Meaning.BUSINESS_ERROR);
    Mapping<E> mapping = new Mapping<>(type, encode, decode);
    mappings.put(type, mapping);
    byName.put(type.getName(), mapping);
  }

  void means(Class<? extends Throwable> type, Meaning meaning) {
    Meaning before = meanings.putIfAbsent(type, meaning);
    if (before != null && before != meaning) {
      throw new IllegalArgumentException(type + " cannot be both " + before + " and " + meaning);
    }
  }

  void otherwise(Function<? super Throwable, Meaning> classify) {
    otherwise = classify;
  }

  void otherBytes(Function<? super Throwable, Bytes> businessReply) {
    otherBytes = businessReply;
  }

  Meaning meaning(Throwable error) {
    Meaning meaning = nearest(meanings, error);
    return meaning != null ? meaning : otherwise.apply(error);
  }

  Bytes encode(Throwable error) {
    Mapping<?> mapping = nearest(mappings, error);
    if (mapping != null) {
      return named(mapping.type.getName(), mapping.encoded(error));
    }
    Bytes bytes = otherBytes.apply(error);
    return bytes.length() > 0 && bytes.at(0) == NAMED ? named("", bytes) : bytes;
  }

  /** Whether a retry is given the same exception again, and not only its bytes. */
  boolean isMapped(Throwable error) {
    return nearest(mappings, error) != null;
  }

  /** What {@link #encode} remembered: the exception as it was mapped, or else its bytes alone. */
  Remembered decode(Bytes bytes) {
    if (bytes.length() < 3 || bytes.at(0) != NAMED) {
      return new Remembered(null, bytes);
    }
    int length = (bytes.at(1) & 0xff) << 8 | bytes.at(2) & 0xff;
    if (bytes.length() < 3 + length) {
      return new Remembered(null, bytes);
    }
    Bytes error = bytes.slice(3 + length, bytes.length() - 3 - length);
    Mapping<?> mapping = byName.get(bytes.slice(3, length).asText());
    return new Remembered(mapping == null ? null : mapping.decode.apply(error), error);
  }

  record Remembered(@Nullable Throwable exception, Bytes bytes) {}

  private static Bytes named(String name, Bytes error) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[3 + utf8.length + error.length()];
    bytes[0] = NAMED;
    bytes[1] = (byte) (utf8.length >> 8);
    bytes[2] = (byte) utf8.length;
    System.arraycopy(utf8, 0, bytes, 3, utf8.length);
    error.copyTo(bytes, 3 + utf8.length);
    return Bytes.of(bytes);
  }

  private static <V> @Nullable V nearest(Map<Class<?>, V> map, Throwable error) {
    for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass()) {
      V found = map.get(type);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
