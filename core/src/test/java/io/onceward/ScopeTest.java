package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScopeTest {
  @Test
  void noneIsTheEmptyName() {
    assertThat(Scope.NONE).isEqualTo(new Scope("")).hasToString("");
  }

  @Test
  void printsItsName() {
    assertThat(new Scope("tenant/7 größer")).hasToString("tenant/7 größer");
  }

  @Test
  void nameIsLimitedInBytesNotInCharacters() {
    assertThat(new Scope("€".repeat(42) + "xx").name()).hasSize(44);
    assertThatThrownBy(() -> new Scope("€".repeat(43)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the name of a scope may take at most 128 bytes")
        .hasMessageContaining("got 129");
  }

  @Test
  void loneSurrogateIsRefused() {
    assertThatThrownBy(() -> new Scope("a\ud83d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lone surrogate at index 1");
  }

  @Test
  void longNameIsNotEchoedWhole() {
    assertThatThrownBy(() -> new Scope("x".repeat(1_000_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got 1000000")
        .message()
        .hasSizeLessThan(300);
  }
}
