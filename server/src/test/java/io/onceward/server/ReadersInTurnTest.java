package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadersInTurnTest {
  private final OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");

  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();
  private final List<String> read = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private Runnable beforeRefusal = () -> {};
  private boolean threads = true;
  private final ReadersInTurn<String> readers =
      new ReadersInTurn<>(this::execute, read::add, lost::add);

  private void execute(Runnable turn) {
    if (!threads) {
      beforeRefusal.run();
      throw noThread;
    }
    turns.add(turn);
  }

  private void runTurns() {
    for (Runnable next = turns.poll(); next != null; next = turns.poll()) {
      next.run();
    }
  }

  @Test
  void oneIsInTheQueueAtATime() {
    readers.add("a");
    readers.add("b");
    assertThat(turns).hasSize(1);
    runTurns();
    assertThat(read).containsExactly("a", "b");
  }

  @Test
  void readersGetTurnsAgainAfterOneGotNoThread() {
    threads = false;
    assertThatThrownBy(() -> readers.add("a")).isSameAs(noThread);
    threads = true;
    readers.add("b");
    readers.add("c");
    runTurns();
    assertThat(read).containsExactly("b", "c");
    assertThat(lost).isEmpty();
  }

  @Test
  void readerBehindOneThatGotNoThreadIsLostWithIt() {
    threads = false;
    beforeRefusal = () -> readers.add("b");
    assertThatThrownBy(() -> readers.add("a")).isSameAs(noThread);
    assertThat(lost).containsExactly("b");
  }

  @Test
  void readersWhoseNextTurnGetsNoThreadAreLostAndLaterOnesGoOn() {
    readers.add("a");
    readers.add("b");
    readers.add("c");
    threads = false;
    assertThatThrownBy(this::runTurns).isSameAs(noThread);
    assertThat(lost).containsExactly("b", "c");
    threads = true;
    readers.add("d");
    runTurns();
    assertThat(read).containsExactly("a", "d");
  }
}
