package io.onceward.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Clients that have read, and want what they had postponed. One of them is in the queue for turns
 * at a time: whoever else has a turn waits for one of these, not for all.
 */
final class ReadersInTurn<R> {
  private final Executor turns;
  private final Consumer<R> turn;
  private final Consumer<R> lost;

  /** The first has its turn. */
  private final ArrayDeque<R> readers = new ArrayDeque<>();

  /**
   * Nobody waits yet.
   *
   * @param lost hears of a reader that waits for a turn that never comes, because there is no
   *     thread for it; {@link #add} throws for the one that it is called with
   */
  ReadersInTurn(Executor turns, Consumer<R> turn, Consumer<R> lost) {
    this.turns = turns;
    this.turn = turn;
    this.lost = lost;
  }

  void add(R reader) {
    synchronized (readers) {
      readers.add(reader);
      if (readers.size() > 1) {
        return;
      }
    }
    try {
      turns.execute(() -> goOn(reader));
    } catch (Throwable problem) {
      takeAll().stream().skip(1).forEach(lost);
      throw problem;
    }
  }

  /** The next reader begins anew then, instead of waiting behind a turn that never ends. */
  private List<R> takeAll() {
    synchronized (readers) {
      List<R> all = new ArrayList<>(readers);
      readers.clear();
      return all;
    }
  }

  private void goOn(R reader) {
    try {
      turn.accept(reader);
    } finally {
      passOn();
    }
  }

  private void passOn() {
    R next;
    synchronized (readers) {
      readers.remove();
      next = readers.peek();
    }
    if (next == null) {
      return;
    }
    try {
      turns.execute(() -> goOn(next));
    } catch (Throwable problem) {
      takeAll().forEach(lost);
      throw problem;
    }
  }
}
