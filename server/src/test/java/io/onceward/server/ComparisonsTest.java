package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Difference;
import org.junit.jupiter.api.Test;

class ComparisonsTest {
  private final Comparisons comparisons = new Comparisons();

  private void computes(long position, String digest) {
    assertThat(comparisons.begin()).isTrue();
    comparisons.computed(position, digest);
  }

  @Test
  void equalDigestsAreNoDifference() {
    computes(5, "a");
    comparisons.named(5, "a");
    comparisons.named(9, "b");
    computes(9, "b");
    assertThat(comparisons.difference()).isNull();
  }

  @Test
  void otherDigestIsADifferenceWhicheverComesFirst() {
    computes(5, "a");
    comparisons.named(5, "b");
    assertThat(comparisons.difference()).isEqualTo(new Difference(5, "a", "b"));

    Comparisons slow = new Comparisons();
    assertThat(slow.begin()).isTrue();
    slow.named(7, "b");
    assertThat(slow.difference()).isNull();
    slow.computed(7, "a");
    assertThat(slow.difference()).isEqualTo(new Difference(7, "a", "b"));
  }

  @Test
  void digestsOfDifferentEntriesAreNotCompared() {
    computes(5, "a");
    comparisons.named(6, "b");
    assertThat(comparisons.difference()).isNull();
  }

  @Test
  void laterEqualDigestEndsTheDifference() {
    computes(5, "a");
    comparisons.named(5, "b");
    computes(6, "c");
    assertThat(comparisons.difference()).as("not compared yet").isNotNull();
    comparisons.named(6, "c");
    assertThat(comparisons.difference()).isNull();
  }

  @Test
  void laterDifferenceReplacesAnEarlierOne() {
    computes(5, "a");
    comparisons.named(5, "b");
    computes(7, "c");
    comparisons.named(7, "d");
    assertThat(comparisons.difference()).isEqualTo(new Difference(7, "c", "d"));
  }

  @Test
  void whatWasFoundIsNotEndedByWhatWasBefore() {
    comparisons.remember(new Difference(7, "c", "d"));
    computes(5, "a");
    comparisons.named(5, "a");
    assertThat(comparisons.difference()).isEqualTo(new Difference(7, "c", "d"));

    Comparisons slow = new Comparisons();
    assertThat(slow.begin()).isTrue();
    slow.computed(5, "a");
    assertThat(slow.begin()).isTrue();
    slow.computed(7, "c");
    slow.named(7, "d");
    slow.named(5, "a");
    assertThat(slow.difference()).isEqualTo(new Difference(7, "c", "d"));
  }

  @Test
  void differenceIsOverOnceTheStateIsReplaced() {
    computes(7, "c");
    comparisons.named(7, "d");
    assertThat(comparisons.difference()).isNotNull();
    comparisons.replaced();
    assertThat(comparisons.difference()).isNull();
    comparisons.named(7, "d");
    assertThat(comparisons.difference()).isNull();
  }

  @Test
  void oneDigestIsComputedAtATime() {
    assertThat(comparisons.begin()).isTrue();
    assertThat(comparisons.begin()).isFalse();
    comparisons.failed();
    assertThat(comparisons.begin()).isTrue();
  }

  @Test
  void digestOfAStateThatWasReplacedMeanwhileIsDropped() {
    assertThat(comparisons.begin()).isTrue();
    comparisons.replaced();
    comparisons.named(5, "b");
    comparisons.computed(5, "a");
    assertThat(comparisons.difference()).isNull();
    assertThat(comparisons.unnamed()).isNull();
    computes(6, "a");
    comparisons.named(6, "b");
    assertThat(comparisons.difference()).isNotNull();
  }

  @Test
  void latestDigestThatTheLogDoesNotKnowIsUnnamed() {
    assertThat(comparisons.unnamed()).isNull();
    computes(5, "a");
    computes(6, "b");
    assertThat(comparisons.unnamed()).isEqualTo(new Comparisons.Own(6, "b"));
    comparisons.named(6, "b");
    assertThat(comparisons.unnamed()).isNull();
  }

  @Test
  void onlyTheLastFewAreKept() {
    for (int position = 1; position <= 5; position++) {
      computes(position, "a");
    }
    comparisons.named(1, "b");
    assertThat(comparisons.difference()).isNull();
    comparisons.named(2, "b");
    assertThat(comparisons.difference()).isEqualTo(new Difference(2, "a", "b"));
  }
}
