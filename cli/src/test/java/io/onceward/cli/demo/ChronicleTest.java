package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.demo.Figures.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChronicleTest {
  private final List<Event> heard = new ArrayList<>();
  private final Chronicle chronicle = new Chronicle(heard::add);

  @Test
  void countsLeaderChangesByTerm() {
    chronicle.leads("node1", 1);
    chronicle.leads("node1", 1);
    assertThat(chronicle.troubles().leaderChanges()).isZero();

    chronicle.leads("node2", 3);
    chronicle.leads("node1", 1);

    assertThat(chronicle.troubles().leaderChanges()).isEqualTo(1);
    assertThat(chronicle.leader()).isEqualTo("node2");
    assertThat(chronicle.term()).isEqualTo(3);
    assertThat(heard)
        .extracting(Event::text)
        .containsExactly("node1 leads, term 1", "node2 leads now, term 3");
  }

  @Test
  void troubleIsThereUntilItIsRelieved() {
    chronicle.trouble("node1 is paused");
    assertThat(chronicle.now()).isEqualTo("node1 is paused");

    chronicle.relief("node1 is paused", "node1 goes on");

    assertThat(chronicle.now()).isEmpty();
    assertThat(heard).extracting(Event::text).containsExactly("node1 is paused", "node1 goes on");
  }

  @Test
  void keepsOnlyTheLastEvents() {
    for (int i = 0; i < 100; i++) {
      chronicle.news("event " + i);
    }

    assertThat(chronicle.events().size()).isLessThan(50);
    assertThat(chronicle.events().get(chronicle.events().size() - 1).text()).isEqualTo("event 99");
  }
}
