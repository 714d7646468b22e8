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
 * <p>Retention counts only time in which somebody sweeps (K3): while the whole application is down,
 * nothing runs out. So between two sweeps at most twice their usual distance counts, and each sweep
 * says how far apart sweeps usually are.
 *
 * <p>{@link #start} a daemon thread, or call {@link #sweep(DataSource, int, Duration)} from a
 * scheduler of your own.
 */
public final class Sweeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Sweeper.class.getName());
  private static final int BATCH = 1000;
  private static final Duration USUAL = Duration.ofMinutes(1);

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
    Thread thread = new Thread(() -> sweeper.run(every), "onceward-sweeper");
    thread.setDaemon(true);
    sweeper.thread = thread;
    thread.start();
    return sweeper;
  }

  /**
   * Drops at most so many records, the oldest first. For those who sweep about every minute: of a
   * longer pause, only two minutes count for retention.
   *
   * @return how many; fewer than asked for if there are no more, or another sweeper has them
   * @throws StoreUnavailableException if the database did not answer; sweeping again is safe
   */
  public static int sweep(DataSource dataSource, int atMost) {
    return sweep(dataSource, atMost, USUAL);
  }

  /**
   * The same for those who sweep more seldom, or more often.
   *
   * @param every how far apart the caller's sweeps usually are; of a pause, at most twice as long
   *     counts for retention
   */
  public static int sweep(DataSource dataSource, int atMost, Duration every) {
    long countMillis = Math.max(1, Math.min(every.toMillis(), Long.MAX_VALUE / 4) * 2);
    try {
      return Cleaning.drop(dataSource, atMost, countMillis);
    } catch (SQLException e) {
      throw new StoreUnavailableException("the database did not clean up", e);
    }
  }

  private void run(Duration every) {
    try {
      do {
        round(every);
      } while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round(Duration every) {
    try {
      int dropped = BATCH;
      while (dropped == BATCH && closed.getCount() > 0) {
        dropped = sweep(dataSource, BATCH, every);
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
