package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/errors.md explains every problem type. */
class ProblemsInDocsTest {
  private static final Path CATALOGUE = Path.of("..", "docs", "errors.md");
  private static final Path PROBLEM =
      Path.of("src", "main", "java", "io", "onceward", "http", "Problem.java");

  /** The types stand in the code as lower-case words with hyphens, in quotes and by themselves. */
  private static final Pattern TYPE = Pattern.compile("\\s\"([a-z]+(?:-[a-z]+)+|failed)\"[,;]");

  private static List<String> types() throws IOException {
    return TYPE.matcher(Files.readString(PROBLEM)).results().map(found -> found.group(1)).toList();
  }

  @Test
  void typesAreFoundInTheCode() throws IOException {
    assertThat(types()).contains("missing-key", "in-progress", "unknown-outcome", "failed");
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyTypeHasItsRow(String type) throws IOException {
    assertThat(Files.readAllLines(CATALOGUE)).anyMatch(line -> line.startsWith("| `" + type + "`"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Refusal.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"WINDOW_EXCEEDED", "BAD_WATERMARK", "OUT_OF_ORDER", "SUPERSEDED", "NO_SESSION"})
  void everyRefusalOfAKeyIsNamed(Refusal refusal) throws IOException {
    String type = refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    assertThat(Files.readString(CATALOGUE)).contains("`" + type + "`");
  }
}
