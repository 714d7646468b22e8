package io.onceward.spring;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How arguments and return values become bytes. The starter brings one for Jackson 2 and one for
 * Jackson 3, on the application's own mapper; a bean of this type takes their place.
 */
public interface ValueCodec {
  byte[] write(@Nullable Object value, Type type);

  /** The inverse of {@link #write}. */
  @Nullable Object read(byte[] bytes, Type type);

  /** The type to read a value as whose type is not told: one that loses nothing of it. */
  Type anyType();

  /**
   * A value, and the type that it was declared with.
   *
   * @param type {@code Object.class} if nobody declared one
   */
  record Typed(@Nullable Object value, Type type) {}

  /**
   * Equal values give the same bytes, in every process: what fingerprints are made of. All counts
   * that callers can send, also what is never shown to them, such as a password, and the kind of a
   * value whose type has several. A property that is null is as if it was absent.
   */
  byte[] canonical(List<Typed> values);

  /** The same where null and absent differ, for {@link Once#comparesNulls}. */
  default byte[] canonicalWithNulls(List<Typed> values) {
    return canonical(values);
  }

  /**
   * Names a part of values of this type that callers can set and that {@link #canonical} does not
   * see, such as a property with a setter alone. Null if there is none.
   *
   * @param bound whether the values are made by calling setters, not by reading JSON
   */
  default @Nullable String uncompared(Type type, boolean bound) {
    return null;
  }

  /** Whether a value that was read back says all that the one that was written says. */
  default boolean same(@Nullable Object written, @Nullable Object readBack) {
    return Arrays.equals(
        canonicalWithNulls(List.of(new Typed(written, Object.class))),
        canonicalWithNulls(List.of(new Typed(readBack, Object.class))));
  }

  /** Whether two texts that {@link #write} made say the same. */
  default boolean sameBytes(byte[] written, byte[] again) {
    return Arrays.equals(written, again);
  }
}
