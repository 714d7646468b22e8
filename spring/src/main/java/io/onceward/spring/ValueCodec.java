package io.onceward.spring;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
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
   * Equal values give the same bytes, in every process: what fingerprints are made of. All counts
   * that callers can send, also what is never shown to them, such as a password. A property that is
   * null is as if it was absent.
   */
  byte[] canonical(List<@Nullable Object> values);

  /** The same where null and absent differ, for {@link Once#comparesNulls}. */
  default byte[] canonicalWithNulls(List<@Nullable Object> values) {
    return canonical(values);
  }

  /** Whether a value that was read back says all that the one that was written says. */
  default boolean same(@Nullable Object written, @Nullable Object readBack) {
    return Arrays.equals(
        canonicalWithNulls(Collections.singletonList(written)),
        canonicalWithNulls(Collections.singletonList(readBack)));
  }
}
