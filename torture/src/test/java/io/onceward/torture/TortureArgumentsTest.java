package io.onceward.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.testkit.FullDisk;
import io.onceward.testkit.ProgramOutput;
import io.onceward.torture.Fault.Kind;
import io.onceward.torture.TortureArguments.BadArgument;
import io.onceward.torture.hostile.Hostile;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class TortureArgumentsTest {
  private static TortureArguments parse(String words) throws BadArgument {
    return TortureArguments.parse(words.isEmpty() ? List.of() : List.of(words.split(" ", -1)));
  }

  @Test
  void withoutArgumentsItGoesOnForTenMinutes() throws BadArgument {
    TortureArguments arguments = parse("");
    assertThat(arguments.seconds()).isEqualTo(600);
    assertThat(arguments.seed()).isEqualTo(1);
    assertThat(arguments.only()).isEmpty();
  }

  @Test
  void theCommandThatIsToldRepeatsTheRun() throws BadArgument {
    for (String words :
        List.of(
            "--minutes 3 --seed 7",
            "--seconds 45 --seed 8 --nodes 5 --rate 100 --copies 50 --loopback --any-pace",
            "--minutes 1 --seed 2 --only kill-leader,power-cut-all")) {
      TortureArguments arguments = parse(words);
      String told = arguments.command();
      assertThat(told).startsWith("./onceward torture ");
      assertThat(parse(told.substring("./onceward torture ".length()))).isEqualTo(arguments);
    }
  }

  @Test
  void faultsAreChosenByName() throws BadArgument {
    assertThat(parse("--only pause-leader,bridge").only())
        .containsExactlyInAnyOrder(Kind.PAUSE_LEADER, Kind.BRIDGE);
  }

  @Test
  void whatIsNotAllowedIsNamedWithWhatIs() {
    assertRefused("--nodes 4", "--nodes is 3 or 5");
    assertRefused("--minutes x", "--minutes takes a whole number from 1 to 10000, not \"x\"");
    assertRefused("--only flood", "there is no fault \"flood\"; there are kill-leader, ");
    assertRefused("--seed", "nothing follows --seed");
    assertRefused("--loud", "unknown argument --loud; allowed are --minutes");
  }

  private static void assertRefused(String words, String why) {
    assertThatThrownBy(() -> parse(words))
        .isInstanceOf(BadArgument.class)
        .hasMessageContaining(why);
  }

  @Test
  void outputThatCannotBeWrittenIsNoSuccess() throws Exception {
    Assumptions.assumeTrue(FullDisk.isHere());
    assertThat(FullDisk.exitCode(Torture.class, "--help")).isEqualTo(ProgramOutput.LOST);
    assertThat(FullDisk.exitCode(Hostile.class, "--help")).isEqualTo(ProgramOutput.LOST);
  }
}
