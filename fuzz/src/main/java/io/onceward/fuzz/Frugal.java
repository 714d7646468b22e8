package io.onceward.fuzz;

import io.onceward.DamagedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** What fuzz tests ask of every decoder: that it succeeds or names the damage, and takes little. */
public final class Frugal {
  /**
   * What decoding may take besides a multiple of its input; a claimed length may claim far more.
   */
  private static final long ALLOWED_BYTES = 4 << 20;

  private static final int ALLOWED_PER_BYTE = 400;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Something that reads bytes. */
  @FunctionalInterface
  public interface Decoding {
    void run() throws IOException;
  }

  /** How many decodings there were that found no damage. */
  private static final AtomicLong INTACT = new AtomicLong();

  private Frugal() {}

  /** Whether anything that reads bytes in this finds no damage. */
  static boolean findsIntact(Runnable decodings) {
    long before = INTACT.get();
    decodings.run();
    return INTACT.get() > before;
  }

  /** Runs it; damage is a good answer, every other exception is not. */
  public static void check(int inputBytes, Decoding decoding) {
    long allowed = ALLOWED_BYTES + (long) inputBytes * ALLOWED_PER_BYTE;
    long taken = taken(decoding);
    if (taken > allowed) {
      // The first time also pays for loading and instrumenting classes.
      taken = Math.min(taken(decoding), taken(decoding));
    }
    if (taken > allowed) {
      throw new AssertionError(inputBytes + " bytes of input took " + taken + " bytes of memory");
    }
  }

  private static long taken(Decoding decoding) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      decoding.run();
      INTACT.incrementAndGet();
    } catch (DamagedException e) {
      if (e.offset() < 0 || e.reason().isEmpty()) {
        throw new AssertionError("damage without a place or a reason", e);
      }
    } catch (IOException e) {
      throw new AssertionError("bytes in memory cannot fail to be read", e);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
