package io.onceward.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Holds one value for Jackson as a property of its declared type. Written so, a value has its type
 * id if the declared type has several kinds, also within lists and maps, and all properties of its
 * own class. A value at the root has the one or the other.
 */
final class Held<T> {
  @JsonProperty("value")
  final @Nullable T value;

  Held(@Nullable T value) {
    this.value = value;
  }
}
