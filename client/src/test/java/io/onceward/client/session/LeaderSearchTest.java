package io.onceward.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule C4: whom to ask. */
class LeaderSearchTest implements LeaderSearch.Actions {
  private final LeaderSearch search = new LeaderSearch(List.of("a", "b", "c"), 50, this);
  private final List<String> probed = new ArrayList<>();
  private String followed = "";
  private long now;

  private List<String> takeProbed() {
    List<String> taken = List.copyOf(probed);
    probed.clear();
    return taken;
  }

  private void pass(long millis) {
    for (long end = now + millis; now < end; ) {
      now++;
      search.tick(now);
    }
  }

  private void isNot(String address, String hint) {
    search.answered(address, false, 3, hint, now);
  }

  @Test
  void aFirstNodeThatLeadsIsFollowedAtOnce() {
    search.search(now);
    assertThat(takeProbed()).containsExactly("a");
    search.answered("a", true, 3, "a", now);
    assertThat(followed).isEqualTo("a");
    assertThat(search.leader()).isEqualTo("a");
    assertThat(search.wakeMillis()).isEqualTo(Long.MAX_VALUE);
    pass(1_000);
    assertThat(probed).isEmpty();
  }

  @Test
  void aHintIsFollowedAtOnceAlsoToAnUnknownNode_C4() {
    search.search(now);
    takeProbed();
    isNot("a", "z");
    assertThat(takeProbed()).containsExactly("z");
    assertThat(search.addresses()).containsExactly("a", "b", "c", "z");
    search.answered("z", true, 3, "z", now);
    assertThat(followed).isEqualTo("z");
  }

  @Test
  void whoDoesNotKnowIsFollowedByTheNextAtOnce() {
    search.search(now);
    isNot("a", "");
    isNot("b", "");
    assertThat(takeProbed()).containsExactly("a", "b", "c");
  }

  @Test
  void aNodeThatSaysNothingHoldsNobodyUp_C4() {
    search.search(now);
    assertThat(takeProbed()).containsExactly("a");
    pass(49);
    assertThat(probed).isEmpty();
    pass(1);
    assertThat(takeProbed()).containsExactly("b");
    pass(50);
    assertThat(takeProbed()).containsExactly("c");
    search.answered("c", true, 3, "c", now);
    assertThat(followed).isEqualTo("c");
  }

  @Test
  void anOutageCostsOneQuestionPerNodeAndPause() {
    search.search(now);
    int questions = 0;
    for (int i = 0; i < 1_000; i++) {
      for (String address : takeProbed()) {
        questions++;
        if (i % 2 == 0) {
          isNot(address, "b");
        } else {
          search.failed(address, now);
        }
      }
      pass(1);
    }
    assertThat(questions).isBetween(50, 61);
  }

  @Test
  void aLostLeaderIsAskedLast_C4() {
    search.search(now);
    search.answered("a", true, 3, "a", now);
    takeProbed();
    pass(1_000);
    search.failed("a", now);
    assertThat(search.leader()).isNull();
    assertThat(takeProbed()).containsExactly("b");
    isNot("b", "a");
    assertThat(probed).as("a was lost a moment ago").isEmpty();
    pass(50);
    assertThat(takeProbed()).contains("a");
  }

  @Test
  void aLeaderThatDeniesItIsLeftForItsHint_C4() {
    search.search(now);
    search.answered("a", true, 3, "a", now);
    takeProbed();
    pass(1_000);
    search.denied("b", "c", now);
    assertThat(search.leader()).as("b is not the one that is followed").isEqualTo("a");
    search.denied("a", "c", now);
    assertThat(takeProbed()).containsExactly("b", "c");
    search.answered("c", true, 4, "c", now);
    assertThat(followed).isEqualTo("c");
  }

  @Test
  void aLowerTermIsNotBelievedForAWhile_C4() {
    search.search(now);
    search.answered("a", true, 7, "a", now);
    pass(1_000);
    search.failed("a", now);
    search.answered("b", true, 6, "b", now);
    assertThat(followed).isEqualTo("a");
    pass(100);
    search.answered("c", true, 8, "c", now);
    assertThat(followed).isEqualTo("c");
    search.failed("c", now);
    pass(3_000);
    search.answered("b", true, 2, "b", now);
    assertThat(followed).as("perhaps the cluster was formed anew").isEqualTo("b");
  }

  @Test
  void answersThatComeAfterTheSearchChangeNothing() {
    search.search(now);
    pass(50);
    search.answered("b", true, 3, "b", now);
    search.answered("a", true, 9, "a", now);
    search.failed("a", now);
    assertThat(followed).isEqualTo("b");
    search.search(now);
    assertThat(search.leader()).isNull();
  }

  /** Nodes that get a new address with each start are named under one after the other. */
  @Test
  void addressesThatAreGoneAreForgotten_C4() {
    search.search(now);
    isNot("a", "good");
    takeProbed();
    isNot("good", "");
    for (int i = 0; i < 1_000; i++) {
      pass(50);
      isNot("a", "gone" + i);
      assertThat(takeProbed()).contains("gone" + i);
      search.failed("gone" + i, now);
    }
    assertThat(search.addresses()).hasSizeLessThan(25).contains("a", "b", "c", "good", "gone999");
    pass(50);
    isNot("a", "good");
    search.answered("good", true, 9, "", now);
    assertThat(followed).isEqualTo("good");
  }

  /** A hint may name a different living node each time; the one that leads stays known. */
  @Test
  void noMoreAddressesAreKeptThanThereCanBeNodes() {
    search.search(now);
    isNot("a", "z");
    search.answered("z", true, 3, "z", now);
    for (int i = 0; i < 1_000; i++) {
      pass(50);
      search.denied("z", "other" + i, now);
      isNot("other" + i, "z");
      pass(50);
      search.answered("z", true, 3, "", now);
      assertThat(search.leader()).isEqualTo("z");
    }
    assertThat(search.addresses()).hasSizeLessThan(25).contains("a", "b", "c", "z");
  }

  @Test
  void somebodyMustBeKnown() {
    assertThatThrownBy(() -> new LeaderSearch(List.of(), 50, this))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Override
  public void probe(String address) {
    probed.add(address);
  }

  @Override
  public void follow(String address) {
    followed = address;
  }
}
