package io.onceward.benchmarks.cluster;

import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.Session;

/** One thread that waits for each reply before it asks again, as simple programs do. */
final class BlockingLoad implements Running {
  private static final long SETTLE_MILLIS = 60_000;

  private final Session session;
  private final Lane lane;
  private final Thread thread = new Thread(this::askOneByOne, "blocking caller");

  private BlockingLoad(Session session, Stopwatch watch) {
    this.session = session;
    this.lane = new Lane(watch);
  }

  static BlockingLoad start(Onceward onceward, Stopwatch watch) {
    BlockingLoad load = new BlockingLoad(onceward.openSession().join(), watch);
    load.thread.start();
    return load;
  }

  private void askOneByOne() {
    boolean goesOn = true;
    while (goesOn) {
      lane.asked();
      long startNanos = System.nanoTime();
      try {
        Decided unused = session.submit(CountingService.NAME, Command100.BYTES).join();
        goesOn = lane.decided(System.nanoTime() - startNanos);
      } catch (RuntimeException problem) {
        lane.failed(problem);
        goesOn = false;
      }
    }
  }

  @Override
  public void settle() throws InterruptedException {
    thread.join(SETTLE_MILLIS);
    lane.settle(SETTLE_MILLIS);
    session.close();
  }

  @Override
  public Tally tally() {
    return lane.tally();
  }
}
