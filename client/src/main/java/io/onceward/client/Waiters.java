package io.onceward.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Those who wait for the same decision. Who has stopped waiting is forgotten as others come: an
 * application may wait again and again, each time for a moment, while the cluster is away.
 */
final class Waiters<T extends CompletableFuture<?>> {
  private static final int FEW = 8;

  private final List<T> waiting = new ArrayList<>(1);
  private int most = FEW;

  void add(T waiter) {
    if (waiting.size() >= most) {
      waiting.removeIf(CompletableFuture::isDone);
      most = Math.max(FEW, 2 * waiting.size());
    }
    waiting.add(waiter);
  }

  /** In the order in which they came. */
  List<T> all() {
    return waiting;
  }
}
