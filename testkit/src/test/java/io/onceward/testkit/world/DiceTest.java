package io.onceward.testkit.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiceTest {

  @Test
  void rollsAreThePublishedOnesOfSplitMix64() {
    Dice dice = new Dice(1_234_567);
    assertThat(dice.next()).isEqualTo(6_457_827_717_110_365_317L);
    assertThat(dice.next()).isEqualTo(3_203_168_211_198_807_973L);
  }

  @Test
  void eachConcernHasItsOwnLuckWhateverWasRolledBefore() {
    Dice dice = new Dice(5);
    long first = dice.of("network").next();
    dice.next();
    assertThat(dice.of("network").next()).isEqualTo(first);
    assertThat(dice.of("clocks").next()).isNotEqualTo(first);
  }

  @Test
  void rangesIncludeBothEnds() {
    Dice dice = new Dice(9);
    boolean[] seen = new boolean[4];
    for (int i = 0; i < 200; i++) {
      seen[dice.between(0, 3)] = true;
    }
    assertThat(seen).containsOnly(true);
  }
}
