package io.onceward.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.torture.disk.LoopDisk;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A slice of what the command does for hours. How soon requests are decided again is judged by the
 * command alone: here the machine may have other work.
 */
@Tag("processes")
@Timeout(900)
class TortureTest {
  @TempDir private Path folder;

  private void assertClean(String words) {
    List<String> arguments = new ArrayList<>(List.of(words.split(" ", -1)));
    arguments.addAll(List.of("--any-pace", "--report", folder.resolve("report.html").toString()));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    int code = Torture.run(arguments, out, out, false);
    assertThat(code).as(() -> said.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("holds  EveryEffectIsAccountedFor", "Nothing was violated");
    assertThat(folder.resolve("report.html")).isNotEmptyFile();
  }

  @Test
  void nothingIsViolatedUnderEveryFaultThatThisMachineAllows() {
    assertClean("--seconds 200 --seed 101 --rate 3000");
  }

  @Test
  void nothingIsViolatedOnLoopback() {
    assertClean("--seconds 100 --seed 102 --rate 3000 --loopback");
  }

  @Test
  void nothingThatWasPromisedIsLostWhenThePowerIsCut() {
    if (!LoopDisk.possible(folder)) {
      String why = "SKIPPED: the power-cut loop needs root, mkfs.ext4 and xfs_io";
      System.err.println(why);
      Assumptions.abort(why);
    }
    assertClean("--seconds 60 --seed 103 --rate 2000 --only power-cut,power-cut-all");
  }
}
