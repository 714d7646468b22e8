package io.onceward.server;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Clients that have read, and want what they had postponed. One of them is in the queue for turns
 * at a time: whoever else has a turn waits for one of these, not for all.
 */
final class ReadersInTurn {
  private final Executor turns;
  private final Consumer<Conversation> turn;

  /** The first has its turn. */
  private final ArrayDeque<Conversation> readers = new ArrayDeque<>();

  ReadersInTurn(Executor turns, Consumer<Conversation> turn) {
    this.turns = turns;
    this.turn = turn;
  }

  void add(Conversation reader) {
    synchronized (readers) {
      readers.add(reader);
      if (readers.size() > 1) {
        return;
      }
    }
    turns.execute(() -> goOn(reader));
  }

  private void goOn(Conversation reader) {
    try {
      turn.accept(reader);
    } finally {
      Conversation next;
      synchronized (readers) {
        readers.remove();
        next = readers.peek();
      }
      if (next != null) {
        turns.execute(() -> goOn(next));
      }
    }
  }
}
