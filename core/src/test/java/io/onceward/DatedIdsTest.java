package io.onceward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatedIdsTest {
  private static final long SOME_MICROS = 1_794_730_811_123_456L;

  @Test
  void idsCarryTheDateOfTheClock() {
    Instant before = Instant.now();
    Key key = new DatedIds().next();
    Instant after = Instant.now();

    assertThat(key.kind()).isEqualTo(Key.Kind.DATED);
    assertThat(key.dateMicros()).isBetween(micros(before), micros(after));
  }

  @Test
  void everyNewMicrosecondGetsFreshRandomBits() {
    AtomicLong clock = new AtomicLong(SOME_MICROS);
    DatedIds ids = new DatedIds(clock::getAndIncrement, () -> scripted(7, -7, 0));

    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS, 7));
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1, -7));
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 2, 0));
  }

  @Test
  void standingClockKeepsIdsAscendingWithoutRunningAhead() {
    DatedIds ids = new DatedIds(() -> SOME_MICROS, () -> new Random(3)::nextLong);

    Key last = assertAscending(ids, 1_000_000);

    assertThat(last.dateMicros()).isBetween(SOME_MICROS, SOME_MICROS + 1);
  }

  @Test
  void clockThatGoesBackKeepsIdsAscending() {
    Random jumps = new Random(11);
    AtomicLong clock = new AtomicLong(SOME_MICROS);
    AtomicLong latest = new AtomicLong(SOME_MICROS);
    LongSupplier jumpy = () -> clock.addAndGet(jumps.nextInt(2001) - 1000);
    DatedIds ids =
        new DatedIds(
            () -> {
              long now = jumpy.getAsLong();
              latest.accumulateAndGet(now, Math::max);
              return now;
            },
            () -> new Random(5)::nextLong);

    Key last = assertAscending(ids, 100_000);

    assertThat(last.dateMicros()).isBetween(latest.get(), latest.get() + 1);
  }

  @Test
  void clockThatWasAheadIsFollowedAgainOnceItComesBy() {
    AtomicLong clock = new AtomicLong(SOME_MICROS + 1000);
    DatedIds ids = new DatedIds(clock::get, () -> scripted(1, 0, 5));

    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1000, 1));
    clock.set(SOME_MICROS);
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1000, 2));
    clock.set(SOME_MICROS + 1001);
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1001, 5));
  }

  @Test
  void overflowOfTheRandomHalfMovesTheDateByOneMicrosecond() {
    DatedIds ids = new DatedIds(() -> SOME_MICROS, () -> scripted(-2, 0, 0, 42, -1));

    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS, -2));
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS, -1));
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1, 42));
    assertThat(ids.next()).isEqualTo(Key.dated(SOME_MICROS + 1, 42 + (1L << 40)));
  }

  @Test
  void clockBeforeTheEpochIsRefused() {
    DatedIds ids = new DatedIds(() -> -5, () -> () -> 0);

    assertThatThrownBy(ids::next)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("got -5");
  }

  @Test
  void idsOfManyThreadsAreDistinctAndEachThreadsAscending() throws Exception {
    assertDistinct(idsOfThreads(new DatedIds(), 8, 125_000));
  }

  /** All in one microsecond, so that nothing but the random bits can tell them apart. */
  @Test
  void idsOfManyThreadsAreDistinctByTheirRandomBitsAlone() throws Exception {
    DatedIds standing = new DatedIds(() -> SOME_MICROS, DatedIds.SecureBits::new);
    assertDistinct(idsOfThreads(standing, 8, 50_000));
  }

  @Test
  void idsOfManyProcessesAreDistinct(@TempDir Path folder) throws Exception {
    int processes = 3;
    int idsEach = 200_000;
    List<Process> children = new ArrayList<>();
    try {
      for (int i = 0; i < processes; i++) {
        children.add(startChild(folder.resolve("ids-" + i), idsEach));
      }
      for (Process child : children) {
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).as("child ended in time").isTrue();
        assertThat(child.exitValue()).isZero();
      }
    } finally {
      children.forEach(Process::destroyForcibly);
    }
    Key[] all = new Key[processes * idsEach];
    for (int i = 0; i < processes; i++) {
      readIds(folder.resolve("ids-" + i), all, i * idsEach, idsEach);
    }
    assertDistinct(all);
  }

  /** What a child process runs: half of its ids by the clock, half in one common microsecond. */
  static final class Child {
    public static void main(String[] args) throws IOException {
      int count = Integer.parseInt(args[1]);
      DatedIds running = new DatedIds();
      DatedIds standing = new DatedIds(() -> SOME_MICROS, DatedIds.SecureBits::new);
      try (DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(Files.newOutputStream(Path.of(args[0])), 1 << 16))) {
        for (int i = 0; i < count; i++) {
          Key key = (i % 2 == 0 ? running : standing).next();
          out.writeLong(key.high());
          out.writeLong(key.low());
        }
      }
    }
  }

  private static Process startChild(Path file, int count) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            placeOf(DatedIds.class) + File.pathSeparator + placeOf(DatedIdsTest.class),
            Child.class.getName(),
            file.toString(),
            Integer.toString(count))
        .inheritIO()
        .start();
  }

  private static Path placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void readIds(Path file, Key[] into, int start, int count) throws IOException {
    assertThat(file).hasSize(16L * count);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      for (int i = start; i < start + count; i++) {
        into[i] = Key.dated(in.readLong(), in.readLong());
      }
    }
  }

  private static Key[] idsOfThreads(DatedIds ids, int threads, int idsEach) throws Exception {
    Key[] all = new Key[threads * idsEach];
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int start = t * idsEach;
        done.add(
            pool.submit(
                () -> {
                  for (int i = start; i < start + idsEach; i++) {
                    all[i] = ids.next();
                    if (i > start && all[i].compareTo(all[i - 1]) <= 0) {
                      throw new AssertionError(all[i] + " came after " + all[i - 1]);
                    }
                  }
                }));
      }
      for (Future<?> thread : done) {
        thread.get();
      }
    } finally {
      pool.shutdownNow();
    }
    return all;
  }

  private static void assertDistinct(Key[] keys) {
    Arrays.parallelSort(keys);
    for (int i = 1; i < keys.length; i++) {
      if (keys[i].equals(keys[i - 1])) {
        throw new AssertionError("made twice: " + keys[i]);
      }
    }
  }

  private static Key assertAscending(DatedIds ids, int count) {
    Key last = ids.next();
    for (int i = 1; i < count; i++) {
      Key next = ids.next();
      if (next.compareTo(last) <= 0) {
        throw new AssertionError(next + " came after " + last);
      }
      last = next;
    }
    return last;
  }

  private static LongSupplier scripted(long... numbers) {
    AtomicLong at = new AtomicLong();
    return () -> numbers[(int) at.getAndIncrement()];
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
