package io.onceward.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.FullDisk;
import io.onceward.testkit.ProgramOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class ModelTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  @Test
  void theSmallModelHoldsAndEveryMutantFails() throws IOException {
    int code = run("--small");
    String output = printed.toString(StandardCharsets.UTF_8);
    assertThat(code).as(output).isZero();
    assertThat(output).containsPattern("(?m)^Small +\\d+ +\\d+ +\\d+ +[\\d.]+  holds$");
    for (Check check : Check.all(true)) {
      if (check.mustFail()) {
        assertThat(output)
            .containsPattern(
                "(?m)^" + check.text() + " .*  caught: \\S.* fails after [1-9]\\d* states$");
      }
    }
    assertThat(output).endsWith("7 passed, 0 failed\n");
  }

  @Test
  void aCounterexampleIsPrintedOnRequest() throws IOException {
    assertThat(run("--only", "localexpiry", "--trace")).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("<ANodeThinksItIsLate ");
  }

  @Test
  void helpNamesEveryCheck() throws IOException {
    assertThat(run("--help")).isZero();
    for (Check check : Check.values()) {
      assertThat(printed.toString(StandardCharsets.UTF_8)).contains(check.text());
    }
  }

  @Test
  void argumentsThatAreNotAllowedAreRefused() throws IOException {
    assertThat(run("--only", "nothing")).isEqualTo(2);
    assertThat(complained.toString(StandardCharsets.UTF_8)).contains("a check: Wide, ");
    assertThat(run("--only")).isEqualTo(2);
    assertThat(run("--fast")).isEqualTo(2);
    assertThat(complained.toString(StandardCharsets.UTF_8)).contains("unknown argument --fast");
  }

  private int run(String... args) throws IOException {
    return Model.run(
        List.of(args),
        new PrintStream(printed, true, StandardCharsets.UTF_8),
        new PrintStream(complained, true, StandardCharsets.UTF_8),
        false);
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(Model.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
