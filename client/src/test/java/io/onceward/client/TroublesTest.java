package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TroublesTest {
  private final Troubles troubles = new Troubles(List.of("a:1", "b:1"));

  @Test
  void addressesThatChangeWithEachStartDoNotPileUp() {
    troubles.put("a:1", "refused");
    for (int i = 0; i < 10_000; i++) {
      troubles.put("pod" + i + ":1", "gone");
    }
    assertThat(troubles.size()).isLessThan(100);
    assertThat(troubles.of("pod9999:1")).isEqualTo("pod9999:1: gone");
    assertThat(troubles.of("pod0:1")).isEqualTo("pod0:1: no answer");
    assertThat(troubles.ofConfigured()).isEqualTo("a:1: refused; b:1: no answer");
    troubles.clear();
    assertThat(troubles.ofConfigured()).isEqualTo("a:1: no answer; b:1: no answer");
  }
}
