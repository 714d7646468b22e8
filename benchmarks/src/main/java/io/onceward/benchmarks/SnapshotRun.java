package io.onceward.benchmarks;

import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A replica full of keys: how fast it applies entries, how long applying stands still for a
 * snapshot and while one is written, and how long a new node takes to read it.
 */
final class SnapshotRun {
  private static final int BATCH = KeyRun.BATCH;
  private static final int PREPARED_ENTRIES = 64;

  /** Every so many entries: a tick, and one whose requests acknowledge keys all over the table. */
  private static final int SPECIAL_EVERY = 16;

  private static final int BUFFER_BYTES = 1 << 18;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** The longest that one apply took. */
  private static final class Worst {
    double withCollections;
    double usual;
    double acknowledging;

    void note(boolean acknowledges, long nanos, boolean collected) {
      double millis = nanos / NANOS_PER_MILLI;
      withCollections = Math.max(withCollections, millis);
      if (collected) {
        return;
      }
      if (acknowledges) {
        acknowledging = Math.max(acknowledging, millis);
      } else {
        usual = Math.max(usual, millis);
      }
    }
  }

  private final ReplicaRun run = new ReplicaRun();
  private final int keys;
  private final double millisPerEntry;
  private final SplittableRandom random = new SplittableRandom(1);
  private long next;
  private long entries;

  private SnapshotRun(int keys) {
    this.keys = keys;
    long retentionMillis = KeyRun.retentionMillis(keys);
    this.millisPerEntry = (double) retentionMillis / keys * BATCH;
    run.set(Parameter.RETENTION_MILLIS, retentionMillis);
  }

  static void run(Sizes sizes, Path scratch, Samples samples) throws IOException {
    SnapshotRun snapshots = new SnapshotRun(sizes.keys());
    snapshots.applyNew(sizes.keys());
    // As KeyRun.turnOver: figures are of a table in which everything followed something that went.
    snapshots.applyNew(sizes.keys());
    int requests = (sizes.requests() + BATCH - 1) / BATCH * BATCH;
    for (int round = 0; round < sizes.rounds(); round++) {
      Meter meter = snapshots.applyNew(requests);
      samples.add("key-apply", meter.nanosPer(requests));
      samples.add("key-apply-allocation", meter.bytesPer(requests));
    }
    snapshots.requireFull();
    for (int round = 0; round < sizes.rounds(); round++) {
      snapshots.takeOne(requests / BATCH, file(scratch), samples);
    }
  }

  private static Path file(Path scratch) {
    return scratch.resolve("snapshot");
  }

  private Meter applyNew(int requests) {
    Meter meter = new Meter();
    List<byte[]> prepared = new ArrayList<>(PREPARED_ENTRIES);
    int end = (requests + BATCH - 1) / BATCH;
    for (int done = 0; done < end; done += PREPARED_ENTRIES) {
      prepared.clear();
      for (int i = 0; i < Math.min(PREPARED_ENTRIES, end - done); i++) {
        prepared.add(newRequests());
      }
      meter.start();
      for (int i = 0; i < prepared.size(); i++) {
        run.execute(prepared.get(i));
      }
      meter.stop();
    }
    return meter;
  }

  private byte[] newRequests() {
    List<Request> requests = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      requests.add(ReplicaRun.keyed(next++, List.of()));
    }
    return run.entry(millisPerEntry, requests);
  }

  private void requireFull() {
    long found = run.replica().countOlderThan(Long.MAX_VALUE);
    if (Math.abs(found - keys) > keys / 20 + 4 * BATCH) {
      throw new IllegalStateException(
          "the replica holds " + found + " keys where " + keys + " are to be measured");
    }
  }

  private void takeOne(int entriesBefore, Path file, Samples samples) throws IOException {
    Worst without = new Worst();
    for (int i = 0; i < entriesBefore; i++) {
      applyOne(without);
    }
    samples.add("worst-apply-without-snapshot", without.usual);
    samples.add("worst-acknowledge-without-snapshot", without.acknowledging);

    long start = System.nanoTime();
    Frozen frozen = run.replica().freeze();
    samples.add("snapshot-freeze", (System.nanoTime() - start) / NANOS_PER_MILLI);

    FutureTask<Double> writing = new FutureTask<>(() -> write(frozen, file));
    Thread writer = new Thread(writing, "snapshot writer");
    writer.start();
    Worst during = new Worst();
    do {
      applyOne(during);
    } while (!writing.isDone());
    double seconds = secondsOf(writing);
    double megabytes = Files.size(file) / BYTES_PER_MEGABYTE;
    samples.add("snapshot-worst-apply", during.usual);
    samples.add("snapshot-worst-acknowledge", during.acknowledging);
    samples.add("snapshot-worst-apply-with-gc", during.withCollections);
    samples.add("snapshot-write", seconds);
    samples.add("snapshot-size", megabytes);
    samples.add("snapshot-rate", megabytes / seconds);
  }

  private static double write(Frozen frozen, Path file) throws IOException {
    long start = System.nanoTime();
    try (OutputStream out = Files.newOutputStream(file)) {
      frozen.writeTo(out);
    }
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  private static double secondsOf(FutureTask<Double> writing) throws IOException {
    try {
      return writing.get();
    } catch (ExecutionException e) {
      throw new IOException("the snapshot could not be written", e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a snapshot was written", e);
    }
  }

  /** What a leader logs: mostly new requests, now and then a tick or acknowledgements. */
  private void applyOne(Worst worst) {
    int turn = (int) (entries++ % SPECIAL_EVERY);
    boolean acknowledges = turn == 1;
    byte[] entry =
        turn == 0
            ? run.entry(0, List.of(new Request.Tick()))
            : acknowledges ? acknowledgingRequests() : newRequests();
    long collections = Meter.collections();
    long start = System.nanoTime();
    run.apply(entry, (ordinal, decision) -> {});
    long nanos = System.nanoTime() - start;
    worst.note(acknowledges, nanos, Meter.collections() != collections);
  }

  private byte[] acknowledgingRequests() {
    List<Request> requests = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      Key taken = ReplicaRun.key(random.nextLong(Math.max(0, next - keys), next));
      requests.add(ReplicaRun.keyed(next++, List.of(taken)));
    }
    return run.entry(millisPerEntry, requests);
  }

  /** Reads the snapshot as a node does that has just started. */
  static void restore(Sizes sizes, Path scratch, Samples samples) throws IOException {
    long start = System.nanoTime();
    Replica replica;
    try (InputStream in =
        new BufferedInputStream(Files.newInputStream(file(scratch)), BUFFER_BYTES)) {
      replica = Replica.restore(new ConstantService(), 42, in);
    }
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    long found = replica.countOlderThan(Long.MAX_VALUE);
    if (found < sizes.keys() * 9L / 10) {
      throw new IllegalStateException("only " + found + " keys were restored");
    }
    samples.add("restore", seconds);
  }
}
