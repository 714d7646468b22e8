package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.wire.Question;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TicketsTest {
  private final Tickets tickets = new Tickets();

  private static Asked asked(int number) {
    return new Asked(
        null, null, number, Asked.Wait.USUAL, "kind", () -> new Question.Status(false));
  }

  @Test
  void anAnswerFindsItsQuestionOnce() {
    Asked asked = asked(1);
    long ticket = tickets.add(asked);
    assertThat(tickets.take(ticket)).isSameAs(asked);
    assertThat(tickets.take(ticket)).isNull();
    assertThat(tickets.take(ticket + 1)).isNull();
    assertThat(tickets.take(-1)).isNull();
    assertThat(tickets.take(Long.MAX_VALUE)).isNull();
  }

  @Test
  void behavesLikeAMapWhateverTheOrder() {
    Random random = new Random(5);
    Map<Long, Asked> model = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      if (random.nextInt(100) < 50) {
        Asked asked = asked(i);
        long ticket = tickets.add(asked);
        // Every thousandth question waits for ever.
        if (ticket % 1000 != 7) {
          model.put(ticket, asked);
        }
      } else if (!model.isEmpty()) {
        long ticket = model.keySet().iterator().next();
        assertThat(tickets.take(ticket)).isSameAs(model.remove(ticket));
        assertThat(tickets.take(ticket)).isNull();
      }
    }
    int rest = tickets.takeAll().size();
    assertThat(rest).isGreaterThanOrEqualTo(model.size()).isLessThan(model.size() + 200);
    assertThat(tickets.takeAll()).isEmpty();
  }
}
