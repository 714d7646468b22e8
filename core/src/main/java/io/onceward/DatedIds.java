package io.onceward;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Makes dated keys: 64 bits of microseconds since the epoch and 64 random bits (rule K1). Any
 * number of threads may share one generator; they meet only where random bits are fetched, once for
 * many ids.
 *
 * <p>The ids that one thread takes from one generator are strictly ascending, even if the clock
 * stands still or goes back; ids of different threads, generators and processes are distinct. To
 * stay ascending within a microsecond, the random half grows by a random step, so that taking ids
 * fast does not run ahead of the clock. Only when that half overflows does the date move on by
 * itself, which takes millions of ids in one microsecond.
 *
 * <p>A clock that is set back leaves a thread at the latest date it has seen until the clock comes
 * by again. If it had been far ahead, those ids are refused as {@code FROM_THE_FUTURE} (K5); a new
 * generator begins at what the clock says then.
 */
public final class DatedIds {
  private final LongSupplier clockMicros;
  private final ThreadLocal<Sequence> sequences;

  public DatedIds() {
    this(DatedIds::nowMicros, SecureBits::new);
  }

  /**
   * With a clock and random bits of one's own.
   *
   * @param randomPerThread asked once by each thread, for a source that no other thread uses
   */
  DatedIds(LongSupplier clockMicros, Supplier<LongSupplier> randomPerThread) {
    this.clockMicros = clockMicros;
    this.sequences = ThreadLocal.withInitial(() -> new Sequence(randomPerThread.get()));
  }

  public Key next() {
    return sequences.get().next(clockMicros.getAsLong());
  }

  private static long nowMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  /** The ids of one thread: always greater than the last one. */
  private static final class Sequence {
    /**
     * The step is 1 to 2^40. Larger ones are harder to guess and leave less room for other threads'
     * ids to meet, smaller ones let more ids fit in before the random half overflows.
     */
    private static final int STEP_SHIFT = 24;

    private final LongSupplier random;
    private long dateMicros = Long.MIN_VALUE;
    private long low;

    Sequence(LongSupplier random) {
      this.random = random;
    }

    Key next(long nowMicros) {
      if (nowMicros > dateMicros) {
        startAt(nowMicros);
      } else {
        long stepped = low + (random.getAsLong() >>> STEP_SHIFT) + 1;
        if (Long.compareUnsigned(stepped, low) > 0) {
          low = stepped;
        } else {
          startAt(dateMicros + 1);
        }
      }
      return Key.dated(dateMicros, low);
    }

    private void startAt(long micros) {
      dateMicros = micros;
      low = random.getAsLong();
    }
  }

  /**
   * Bits of the system's secure random source, fetched for many ids at a time.
   *
   * <p>Distinctness between processes needs no more than well-seeded bits, and a small generator
   * per thread would be faster still. But its state can be computed from a few ids, and ids end up
   * in logs and other people's hands: who can tell the next id can take it first. Asking the secure
   * source for each id would make the threads queue at its lock; a small buffer per thread makes
   * that rare.
   */
  static final class SecureBits implements LongSupplier {
    private static final SecureRandom SOURCE = new SecureRandom();
    private static final int BUFFER_BYTES = 256;

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    @Override
    public long getAsLong() {
      if (!buffer.hasRemaining()) {
        SOURCE.nextBytes(buffer.array());
        buffer.clear();
      }
      return buffer.getLong();
    }
  }
}
