package io.onceward.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.teeth.PlantedBug;
import io.onceward.testkit.world.Parts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int simulate(Parts parts, boolean terminal, String... args) {
    return Simulate.run(List.of(args), parts, stream(out), stream(err), terminal, folder);
  }

  private int simulate(String... args) {
    return simulate(Parts.HONEST, false, args);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void endsWithHowManyPassedAndFailed() {
    assertThat(simulate("simulate", "--seeds", "2", "--from", "5")).isZero();
    assertThat(text(out)).contains("simulated seconds per second").endsWith("2 passed, 0 failed\n");
  }

  @Test
  void verboseShowsTheTraceAndItsHash() {
    assertThat(simulate("--seeds", "1", "--from", "7", "--verbose")).isZero();
    assertThat(text(out)).contains(" ms apply ").containsPattern("seed 7 trace hash [0-9a-f]{16}");
  }

  @Test
  void aFailingSeedShowsTheCommandThatReplaysIt() {
    Parts broken = PlantedBug.LOG_TIME_GOES_BACK.parts();
    assertThat(simulate(broken, false, "--seeds", "1", "--from", "2", "--minutes-per-seed", "2"))
        .isEqualTo(1);
    assertThat(text(out))
        .contains("seed 2 failed: ")
        .contains(
            "replay it: ./onceward simulate --from 2 --seeds 1 --minutes-per-seed 2 --verbose")
        .endsWith("0 passed, 1 failed\n");
  }

  @Test
  void manyFindingsAreCountedAndWrittenToAFile() throws IOException {
    List<String> findings = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      findings.add("client " + i + " waits for Keyed[key=[" + i + "], " + "x".repeat(600) + "]");
    }
    findings.add("the administrator waits for Forget[beforeMillis=5]");
    Simulation.Report report =
        new Simulation.Report(
            42, "SomeInvariant", "301 wait", findings, 0, 0, 0, 0, 0, 0, Map.of());
    new FailureText(report, folder.resolve("new")).print(stream(out));
    assertThat(text(out))
        .contains("seed 42 failed: SomeInvariant", "client 4 waits", "and 296 more")
        .contains("300 x client # waits for Keyed", "1 x the administrator waits for Forget")
        .doesNotContain("client 5 waits")
        .hasSizeLessThan(5_000);
    assertThat(Files.readAllLines(folder.resolve("new/seed-42.txt"))).hasSize(302);
  }

  @Test
  void shortFailureLeavesNoFile() {
    Simulation.Report report =
        new Simulation.Report(
            42, "SomeInvariant", "it broke", List.of(), 0, 0, 0, 0, 0, 0, Map.of());
    new FailureText(report, folder.resolve("new")).print(stream(out));
    assertThat(text(out)).isEqualTo("seed 42 failed: SomeInvariant\n  it broke\n");
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void progressIsShownInPlaceOnATerminal() {
    simulate(Parts.HONEST, true, "--seeds", "2");
    assertThat(text(out)).contains("\r1 of 2 seeds").contains("\r2 of 2 seeds");
  }

  @Test
  void helpTellsTheArguments() {
    assertThat(simulate("--help")).isZero();
    assertThat(text(out)).contains("--seeds N").contains("--teeth").contains("Exit code");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seeds           | --seeds takes a whole number from 1 to 1000000000, and nothing follows",
        "--seeds 0         | --seeds takes a whole number from 1 to 1000000000, not 0",
        "--seeds many      | --seeds takes a whole number from 1 to 1000000000, not \"many\"",
        "--from -1         | --from takes a whole number from 0 to",
        "--minutes-per-seed 9999 | --minutes-per-seed takes a whole number from 1 to 1440, not 9999",
        "--sedes 5         | unknown argument --sedes; allowed are --seeds, --from,"
      })
  void badArgumentsAreRefusedWithWhatIsAllowed(String line, String message) {
    assertThat(simulate(line.trim().split(" +"))).isEqualTo(2);
    assertThat(text(err)).contains(message.trim());
    assertThat(text(out)).isEmpty();
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(Simulate.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
