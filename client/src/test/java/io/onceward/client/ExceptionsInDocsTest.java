package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/errors.md explains every exception that callers of the client can get. */
class ExceptionsInDocsTest {
  private static final Path CATALOGUE = Path.of("..", "docs", "errors.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "onceward", "client");

  private static List<String> exceptions() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> name.endsWith("Exception") && !name.equals("OncewardException"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void everyExceptionHasItsRow(String exception) throws IOException {
    assertThat(Files.readAllLines(CATALOGUE))
        .anyMatch(line -> line.startsWith("| `" + exception + "` | "));
  }
}
