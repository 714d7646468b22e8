package io.onceward.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.FullDisk;
import io.onceward.testkit.ProgramOutput;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class CrashTestTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... words) {
    return CrashTest.run(
        List.of(words),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false);
  }

  @Test
  void helpNamesEveryHome() {
    assertThat(run("--help")).isZero();
    for (Home home : Home.values()) {
      assertThat(out.toString(StandardCharsets.UTF_8)).contains(home.text());
    }
  }

  @Test
  void wrongArgumentsAreExplained() {
    assertThat(run("--home", "cellar")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("there is no home cellar; there are transaction, guard-jdbc");
    assertThat(run("--rounds", "0")).isEqualTo(2);
    assertThat(run("--rounds")).isEqualTo(2);
    assertThat(run("--round", "5")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("--rounds takes a whole number from 1 to 10000000, not 0", "nothing follows");
  }

  @Test
  void tableAndJsonTellWhetherTheBooksAgree() {
    Tally tally = new Tally(Home.REPLICATED);
    tally.row(Step.SUBMIT_AFTER).rounds = 12;
    Report clean = new Report(List.of(tally));
    assertThat(clean.isClean()).isTrue();
    assertThat(clean.table())
        .contains("decided, not told", "12")
        .endsWith("Nothing lost, nothing doubled, every retry answered the same.\n");
    assertThat(clean.json()).startsWith("{\"clean\":true,\"homes\":[{\"home\":\"replicated\"");
    tally.row(Step.SUBMIT_AFTER).doubled = 1;
    tally.found("it says \"twice\"");
    Report broken = new Report(List.of(tally));
    assertThat(broken.isClean()).isFalse();
    assertThat(broken.table())
        .contains("  ! it says \"twice\"")
        .endsWith("The books do not agree with what was answered.\n");
    assertThat(broken.json()).contains("\"findings\":[\"it says \\\"twice\\\"\"]");
  }

  @Test
  void everyStepOfAHomeComesEquallyOften() {
    Schedule schedule = new Schedule(Home.GUARD_ON_JDBC, 28, 7);
    int[] times = new int[Step.values().length];
    for (int lane = 0; schedule.hasMore(); lane = (lane + 1) % 8) {
      Round round = schedule.next(lane, schedule.pauses());
      times[round.step.ordinal()]++;
    }
    for (Step step : Home.GUARD_ON_JDBC.steps()) {
      assertThat(times[step.ordinal()]).as(step.inWords()).isEqualTo(2);
    }
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(CrashTest.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
