package io.onceward.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every attack for a moment, one after the other, against one running server. How fast honest
 * clients are meanwhile is not judged here; {@code onceward hostile} does that.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostilePeersTest {
  private static final double SECONDS = 0.4;
  private static final double PATIENT_SECONDS = 10;
  private static final int CROWDS_PERCENT = 20;
  private static final int XMX_MEBIBYTES = 640;

  @TempDir static Path folder;

  private static Victim victim;
  private static HonestClients honest;

  @BeforeAll
  static void start() throws Exception {
    victim = Victim.start(folder);
    honest = new HonestClients(victim.member().clientAddress());
  }

  @AfterAll
  static void stop() throws IOException {
    if (honest != null) {
      honest.close();
    }
    if (victim != null) {
      victim.close();
    }
  }

  static List<Attack.Aimed> everyAttack() {
    return Attack.all();
  }

  @ParameterizedTest
  @MethodSource("everyAttack")
  void costsOnlyTheAttacker(Attack.Aimed attack) throws Exception {
    assertThat(victim.isAlive())
        .as("the node survived the attack before: " + victim.said())
        .isTrue();
    Round.Result result = play(attack, SECONDS);
    if (result.account().units() == 0) {
      // On a busy machine nothing may get through in so short a time.
      result = play(attack, PATIENT_SECONDS);
    }
    assertThat(result.complaints()).isEmpty();
    assertThat(result.account().units()).as("harm done").isPositive();
    assertThat(result.heapMebibytes()).isLessThan(XMX_MEBIBYTES);
  }

  private static Round.Result play(Attack.Aimed attack, double seconds) throws Exception {
    return new Round(victim, honest, false)
        .play(attack, seconds, Round.onAThread(attack, victim, CROWDS_PERCENT));
  }

  @Test
  void wrongArgumentsAreSaidAndListedOnesRun() {
    assertThat(Attack.named("no-such-attack")).isEmpty();
    assertThat(Attack.all())
        .allMatch(aimed -> Attack.named(aimed.name()).orElseThrow().equals(aimed));
    assertThat(Hostile.run(List.of("--attack", "no-such-attack"), System.out, System.out))
        .isEqualTo(2);
    assertThat(Hostile.run(List.of("--list"), System.out, System.out)).isZero();
  }

  @Test
  void anAccountSurvivesItsWayBetweenProcesses() {
    Siege.Account account =
        new Siege.Account(3, 2, 1_000, 5_000, Map.of("goaway 11 too many", 2, "reset", 1));
    assertThat(AttackerProgram.parse(AttackerProgram.print(account))).isEqualTo(account);
  }
}
