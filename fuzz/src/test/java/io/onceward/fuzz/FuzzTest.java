package io.onceward.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceward.testkit.FullDisk;
import io.onceward.testkit.ProgramOutput;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FuzzTest {
  private static final String SECONDS = "2";

  @TempDir private Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  @ParameterizedTest
  @EnumSource(Target.class)
  void seedsAndTheirDamagedFormsAreTakenWell(Target target) throws Exception {
    List<Path> seeds = target.seeds();
    assertThat(seeds).isNotEmpty();
    for (Path seed : seeds) {
      byte[] whole = Files.readAllBytes(seed);
      target.take(whole);
      for (int i = 0; i < whole.length; i++) {
        byte[] flipped = whole.clone();
        flipped[i] ^= (byte) (1 << i % 8);
        target.take(flipped);
        target.take(Arrays.copyOf(whole, i));
      }
    }
  }

  /** A search that starts from an old layout is stopped by the version, and tries nothing else. */
  @ParameterizedTest
  @EnumSource(Target.class)
  void seedsHaveThePresentLayout(Target target) throws Exception {
    for (Path seed : target.seeds()) {
      byte[] whole = Files.readAllBytes(seed);
      boolean intact = Frugal.findsIntact(() -> target.take(whole));
      String name = String.valueOf(seed.getFileName());
      assertThat(intact || name.startsWith("refused")).as(name).isTrue();
    }
  }

  /**
   * Guided by coverage, for seconds, and always from the same seed: what only another seed finds is
   * for {@code ./onceward fuzz}, not for whoever happens to build.
   */
  @ParameterizedTest
  @EnumSource(Target.class)
  void aShortSearchFindsNothing(Target target) throws Exception {
    assumeJazzer();
    int code =
        run(
            "--target",
            target.text(),
            "--seconds",
            SECONDS,
            "--seed",
            "1",
            "--folder",
            folder.toString());
    assertThat(code).as(printed.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .containsPattern("(?m)^" + target.text() + " +[1-9]\\d* +\\d+ +[1-9]\\d* +\\d+  nothing$")
        .endsWith("1 passed, 0 failed\n");
  }

  @Test
  void aFindIsToldWithTheCommandThatReplaysIt() {
    Search search = new Search(Target.IDS, folder);
    search.take("#2048\tpulse  cov: 120 ft: 300 corp: 9/80b lim: 4 exec/s: 1024 rss: 300Mb");
    search.take("== Java Exception: java.lang.AssertionError: a second form");
    search.take("artifact_prefix='x'; Test unit written to /finds/ids-crash-1234");
    search.take("stat::number_of_executed_units: 4097");
    Search.Result result = search.result(77, 2);
    assertThat(result.isClean()).isFalse();
    assertThat(result.executions()).isEqualTo(4097);
    assertThat(result.coverage()).isEqualTo(120);
    assertThat(result.find()).isEqualTo(Path.of("/finds/ids-crash-1234"));
    assertThat(result.trouble()).contains("a second form");
  }

  @Test
  void aSearchThatDidNotRunIsNoSuccess() {
    assertThat(new Search(Target.IDS, folder).result(0, 1).isClean()).isFalse();
    assertThat(new Search(Target.IDS, folder).result(1, 1).isClean()).isFalse();
  }

  @Test
  void anInputIsReplayedWithoutJazzer() throws Exception {
    Path input = Files.writeString(folder.resolve("input"), "order 4711");
    assertThat(run("--target", "ids", "--replay", input.toString())).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("ids takes the 10 bytes well\n");
  }

  @Test
  void helpNamesEveryTarget() throws Exception {
    assertThat(run("--help")).isZero();
    for (Target target : Target.values()) {
      assertThat(printed.toString(StandardCharsets.UTF_8)).contains(target.text());
    }
  }

  @Test
  void argumentsThatAreNotAllowedAreRefused() throws Exception {
    assertThat(run("--target", "nothing")).isEqualTo(2);
    assertThat(run("--minutes", "0")).isEqualTo(2);
    assertThat(run("--replay", "x")).isEqualTo(2);
    assertThat(run("--fast")).isEqualTo(2);
  }

  @Test
  void whatIsNotThereIsNamed() throws Exception {
    assertThat(run("--target", "nothing")).isEqualTo(2);
    assertThat(complained.toString(StandardCharsets.UTF_8))
        .contains("there is no target nothing; there are questions, ");
    complained.reset();
    Path missing = folder.resolve("missing");
    assertThat(run("--target", "ids", "--replay", missing.toString())).isEqualTo(2);
    assertThat(complained.toString(StandardCharsets.UTF_8))
        .contains("cannot read " + missing + ": there is no " + missing);
  }

  private static void assumeJazzer() {
    String missing = Machine.missing();
    if (missing != null) {
      String line = "SKIPPED: Jazzer cannot run here, no " + missing;
      System.err.println(line);
      assumeTrue(false, line);
    }
  }

  private int run(String... args) throws Exception {
    return Fuzz.run(
        List.of(args),
        new PrintStream(printed, true, StandardCharsets.UTF_8),
        new PrintStream(complained, true, StandardCharsets.UTF_8),
        false);
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(Fuzz.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
