package io.onceward.benchmarks.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class JdbcBenchTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private void run(String... arguments) throws IOException {
    JdbcBench.run(
        List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  @Test
  void everyFigureIsMeasuredOnARealPostgres() throws IOException {
    run("--quick", "--rounds", "1");
    String printed = out.toString(UTF_8);
    for (Figure figure : JdbcFigures.ALL) {
      assertThat(printed.lines().filter(line -> line.startsWith(figure.name() + " ")))
          .as(figure.name())
          .singleElement()
          .asString()
          .contains(" " + figure.unit() + " ")
          .doesNotContain("NaN");
    }
    assertThat(printed).contains("fsync on", "with ", "without ");
    assertThat(printed.lines().filter(line -> line.startsWith("duplicates-executed ")))
        .singleElement()
        .asString()
        .containsPattern("duplicates-executed +1 ");
  }

  @Test
  void unknownArgumentsAreRefused() {
    assertThatExceptionOfType(UsageException.class).isThrownBy(() -> run("--fast"));
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> run("--only", "nothing"))
        .withMessageContaining("transfers-8");
  }
}
