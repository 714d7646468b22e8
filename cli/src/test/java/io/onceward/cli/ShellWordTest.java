package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordTest {
  @Test
  void plainWordsStayAsTheyAre() {
    assertThat(ShellWord.of("d:2026-11-15T08:20:11.123456Z-0123456789abcdef"))
        .isEqualTo("d:2026-11-15T08:20:11.123456Z-0123456789abcdef");
    assertThat(ShellWord.line(List.of("server", "--node", "a"))).isEqualTo("server --node a");
  }

  @Test
  void theShellReadsJustTheWord() throws Exception {
    for (String word :
        List.of(
            "", " ", "a b", "it's", "''", "\"", "$HOME", "`id`", "$(id)", "a\nb", "\\", "\\n", "*",
            "~", "~root", "=ls", "#x", "!!", "a;b", "a&b", "a|b", "<x", "{a,b}", "[a]", "-n",
            "ä")) {
      Process shell = new ProcessBuilder("sh", "-c", "printf '%s' " + ShellWord.of(word)).start();
      assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(word);
      assertThat(shell.waitFor()).isZero();
    }
  }
}
