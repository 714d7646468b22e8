package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/errors.md explains every exit code, in the words of the code. */
class ExitCodesInDocsTest {
  private static final Path CATALOGUE = Path.of("..", "docs", "errors.md");

  @ParameterizedTest
  @EnumSource(ExitCode.class)
  void everyExitCodeHasItsRow(ExitCode code) throws IOException {
    String start = "| " + code.number() + " | " + code.meaning() + " | ";
    assertThat(Files.readAllLines(CATALOGUE)).anyMatch(line -> line.startsWith(start));
  }
}
