package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/errors.md explains every refusal, with what the code says of it. */
class ErrorCatalogueTest {
  private static final Path CATALOGUE = Path.of("..", "docs", "errors.md");

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void everyRefusalHasItsRow(Refusal refusal) throws IOException {
    String executed = refusal.executed().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String start =
        "| `" + refusal + "` | " + executed + " | " + (refusal.mayResend() ? "yes" : "no") + " | ";
    assertThat(Files.readAllLines(CATALOGUE)).anyMatch(line -> line.startsWith(start));
  }
}
