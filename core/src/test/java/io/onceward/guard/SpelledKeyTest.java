package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import org.junit.jupiter.api.Test;

class SpelledKeyTest {
  @Test
  void longKeysAreTextKeysToo() {
    for (int length : new int[] {1, 127, 128, 129, 254, 255}) {
      assertThat(GuardedId.keyOf("x".repeat(length)).kind()).isEqualTo(Key.Kind.TEXT);
    }
    assertThat(GuardedId.keyOf("x".repeat(254) + "1"))
        .isEqualTo(GuardedId.keyOf("x".repeat(254) + "1"))
        .isNotEqualTo(GuardedId.keyOf("x".repeat(254) + "2"))
        .isNotEqualTo(GuardedId.keyOf("x".repeat(128)));
  }

  @Test
  void aLongKeyIsDigestedAsAShortOneIs() {
    assertThat(GuardedId.digested("order 4711")).isEqualTo(Key.text("order 4711"));
  }

  @Test
  void theLimitIsNamed() {
    assertThatThrownBy(() -> GuardedId.keyOf("x".repeat(256)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("255");
    assertThatThrownBy(() -> GuardedId.keyOf("ü".repeat(128)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GuardedId.keyOf("x".repeat(200) + "\ud800"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GuardedId.keyOf("")).isInstanceOf(IllegalArgumentException.class);
  }
}
