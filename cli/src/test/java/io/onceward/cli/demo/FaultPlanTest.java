package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.demo.Fault.KillNode;
import io.onceward.cli.demo.Fault.Target;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final long MINUTE = 60_000;

  @Test
  void sameSeedSameFaults() {
    assertThat(FaultPlan.of(4711, MINUTE)).isEqualTo(FaultPlan.of(4711, MINUTE));
    assertThat(FaultPlan.of(4711, MINUTE)).isNotEqualTo(FaultPlan.of(4712, MINUTE));
  }

  @Test
  void theLeaderDiesFirst() {
    for (long seed = 0; seed < 50; seed++) {
      Fault first = FaultPlan.of(seed, MINUTE).get(0).fault();
      assertThat(first).isInstanceOf(KillNode.class);
      assertThat(((KillNode) first).target()).isEqualTo(Target.LEADER);
    }
  }

  @Test
  void everyKindHasItsTurnInAMinute() {
    for (long seed = 0; seed < 50; seed++) {
      Set<Class<?>> kinds = new HashSet<>();
      FaultPlan.of(seed, MINUTE).forEach(entry -> kinds.add(entry.fault().getClass()));
      assertThat(kinds).hasSizeGreaterThanOrEqualTo(7);
      assertThat(kinds).contains(Fault.PauseNode.class, Fault.KillNode.class);
    }
  }

  @Test
  void thereIsTimeBetweenFaultsAndTheyFitIntoTheRun() {
    for (long seed = 0; seed < 50; seed++) {
      long length = 0;
      for (FaultPlan.Entry entry : FaultPlan.of(seed, MINUTE)) {
        assertThat(entry.afterMillis()).isGreaterThanOrEqualTo(1_000);
        length += entry.afterMillis() + entry.fault().millis();
      }
      assertThat(length).isLessThan(MINUTE);
    }
  }

  @Test
  void aShortRunHasAFaultToo() {
    List<FaultPlan.Entry> plan = FaultPlan.of(1, 8_000);

    assertThat(plan).isNotEmpty();
    assertThat(plan.get(0).afterMillis()).isLessThanOrEqualTo(2_000);
  }
}
