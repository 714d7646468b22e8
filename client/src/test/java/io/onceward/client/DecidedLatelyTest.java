package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Reply;
import org.junit.jupiter.api.Test;

class DecidedLatelyTest {
  private final DecidedLately decided = new DecidedLately();

  private static Decision reply(int bytes) {
    return new Decision.Replied(Reply.ok(Bytes.of(new byte[bytes])), false, 1, 1);
  }

  private void unheard(long sequence, Decision decision) {
    decided.add(sequence, decision);
    decided.told(sequence, decision, false);
  }

  @Test
  void longRepliesThatNobodyClaimsAreBounded_L1() {
    int bytes = (int) (DecidedLately.MOST_UNCLAIMED_BYTES / 4);
    for (long sequence = 1; sequence <= 10; sequence++) {
      unheard(sequence, reply(bytes));
    }
    assertThat(decided.get(6)).isNull();
    assertThat(decided.get(7)).isEqualTo(reply(bytes));
    assertThat(decided.take(7)).isEqualTo(reply(bytes));
    unheard(11, reply(bytes));
    assertThat(decided.get(8)).as("what was claimed made room").isNotNull();
  }

  @Test
  void lastReplyIsKeptHoweverLong() {
    Decision longest = reply((int) DecidedLately.MOST_UNCLAIMED_BYTES + 1);
    unheard(1, reply(1));
    unheard(2, longest);
    assertThat(decided.get(1)).isNull();
    assertThat(decided.get(2)).isEqualTo(longest);
  }

  @Test
  void shortRepliesThatNobodyClaimsAreCounted() {
    for (long sequence = 0; sequence <= DecidedLately.MOST_UNCLAIMED; sequence++) {
      unheard(sequence, reply(1));
    }
    assertThat(decided.get(0)).isNull();
    assertThat(decided.get(1)).isNotNull();
  }
}
