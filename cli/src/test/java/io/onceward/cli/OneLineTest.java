package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.services.LeaseReply;
import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void printableTextStaysAsItIs() {
    assertThat(OneLine.of("Müller & Söhne 北京 🙂 a b")).isEqualTo("Müller & Söhne 北京 🙂 a b");
  }

  @Test
  void whatMovesTheCursorIsEscaped() {
    assertThat(OneLine.of("a\nb\rc\td\u001b[2Ke\u0085f\u2028g\u202eh"))
        .isEqualTo("a\\nb\\rc\\td\\u001b[2Ke\\u0085f\\u2028g\\u202eh");
  }

  @Test
  void cellOfATableForgesNoRow() {
    String table =
        new TextTable("SESSION", "CLIENT")
            .row("4a0002", "durable:x\n4a0003  durable:billing")
            .row("4a0004", "auto:\u001b[1Ay")
            .toString();
    assertThat(table.lines()).hasSize(3);
    assertThat(table).doesNotContain("\u001b");
  }

  @Test
  void holderOfALeaseForgesNoLine() {
    Told told = LeaseText.held("job", new LeaseReply.Held("me\njob is held by you", 7, 0));
    assertThat(told.line().lines()).hasSize(1);
  }
}
