package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalSizeTest {
  @Test
  void readsRowsAndColumns() {
    assertThat(TerminalSize.parse("50 132")).isEqualTo(new TerminalSize.Size(50, 132));
  }

  @Test
  void anUnknownSizeIsTheUsualOne() {
    assertThat(TerminalSize.parse("")).isEqualTo(new TerminalSize.Size(24, 80));
    assertThat(TerminalSize.parse("0 0")).isEqualTo(new TerminalSize.Size(24, 80));
    assertThat(TerminalSize.parse("a b")).isEqualTo(new TerminalSize.Size(24, 80));
  }
}
