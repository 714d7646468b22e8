package io.onceward.jdbc;

import io.onceward.guard.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up: drops the records of decided requests past their retention, in batches, by the
 * database's clock. Any number of processes may do it at once. What is started or unknown is never
 * dropped.
 *
 * <p>Call {@link #sweep} from a scheduler of your own, or {@link #start} a daemon thread that does
 * it until it is closed.
 */
public final class Sweeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Sweeper.class.getName());
  private static final int BATCH = 1000;

  private final DataSource dataSource;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread thread;

  private Sweeper(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Starts a daemon thread that looks this often and drops all that is due, batch by batch. */
  public static Sweeper start(DataSource dataSource, Duration every) {
    if (every.isNegative() || every.isZero()) {
      throw new IllegalArgumentException(
          "a sweeper needs a pause between its rounds, got " + every);
    }
    Sweeper sweeper = new Sweeper(dataSource);
    Thread thread = new Thread(() -> sweeper.run(every.toMillis()), "onceward-sweeper");
    thread.setDaemon(true);
    sweeper.thread = thread;
    thread.start();
    return sweeper;
  }

  /**
   * Drops at most so many records, the oldest first.
   *
   * @return how many; fewer than asked for if there are no more, or another sweeper has them
   * @throws StoreUnavailableException if the database did not answer; sweeping again is safe
   */
  public static int sweep(DataSource dataSource, int atMost) {
    try {
      return Cleaning.drop(dataSource, atMost);
    } catch (SQLException e) {
      throw new StoreUnavailableException("the database did not clean up", e);
    }
  }

  private void run(long everyMillis) {
    try {
      do {
        round();
      } while (!closed.await(everyMillis, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    try {
      int dropped = BATCH;
      while (dropped == BATCH && closed.getCount() > 0) {
        dropped = sweep(dataSource, BATCH);
      }
    } catch (RuntimeException e) {
      // The next round may do better, and nothing is lost until then.
      LOG.log(Level.WARNING, "records past their retention were not cleaned up", e);
    }
  }

  /** Stops after the batch that is under way. */
  @Override
  public void close() {
    closed.countDown();
    Thread running = thread;
    if (running == null) {
      return;
    }
    try {
      running.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
