package io.onceward.benchmarks;

import io.onceward.benchmarks.Experiment.Role;
import io.onceward.replica.KeyTableMemory;
import io.onceward.replica.SessionTableMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All experiments. A table stands alone in its JVM, and its memory is measured before its speed.
 */
final class Experiments {
  static final String SESSIONS = "sessions ";
  static final String KEYS = "keys ";
  static final String FEW_KEYS = "few-keys ";
  static final String IDLE_SESSIONS = "idle-sessions";
  static final String SESSION_APPLY = "session-apply";
  static final String TOMBSTONES = "tombstones";
  static final String SNAPSHOT = "snapshot";
  static final String RESTORE = "restore";

  static final List<Experiment> ALL = all();

  /** Enough for every class and every path to have been used once. */
  private static final int REHEARSAL = 5_000;

  private static final int TIDY_STEP_BYTES = 64 << 16;

  private Experiments() {}

  static Experiment named(String name) {
    for (Experiment experiment : ALL) {
      if (experiment.name().equals(name)) {
        return experiment;
      }
    }
    throw new IllegalArgumentException("no experiment is called '" + name + "'");
  }

  private static List<Experiment> all() {
    List<Experiment> all = new ArrayList<>();
    for (Contestant c : Contestant.values()) {
      all.add(contest(SESSIONS + c.label(), (sizes, samples) -> sessions(c, sizes, samples)));
    }
    for (Contestant c : Contestant.values()) {
      all.add(
          contest(
              FEW_KEYS + c.label(),
              (sizes, samples) -> keys(c, "few-key", sizes.fewKeys(), sizes, samples)));
    }
    for (Contestant c : Contestant.values()) {
      all.add(
          contest(
              KEYS + c.label(), (sizes, samples) -> keys(c, "key", sizes.keys(), sizes, samples)));
    }
    all.add(new Experiment(SESSION_APPLY, Role.REPEATED, SessionApply::run));
    all.add(new Experiment(IDLE_SESSIONS, Role.ONCE, Experiments::idleSessions));
    all.add(new Experiment(TOMBSTONES, Role.ONCE, Experiments::tombstones));
    all.add(new Experiment(SNAPSHOT, Role.ONCE, SnapshotRun::run));
    all.add(new Experiment(RESTORE, Role.REPEATED, SnapshotRun::restore));
    return List.copyOf(all);
  }

  private interface Contest {
    void run(Sizes sizes, Samples samples);
  }

  private static Experiment contest(String name, Contest contest) {
    return new Experiment(
        name, Role.CONTEST, (sizes, scratch, samples) -> contest.run(sizes, samples));
  }

  private static void sessions(Contestant contestant, Sizes sizes, Samples samples) {
    SessionRun rehearsal = new SessionRun(contestant.sessions(), new int[REHEARSAL]);
    rehearsal.openAll();
    rehearsal.remember(REHEARSAL, SessionRun.BATCH);
    int[] sequenceOf = new int[sizes.sessions()];
    long before = Meter.settledHeapBytes();
    SessionRun run = new SessionRun(contestant.sessions(), sequenceOf);
    run.openAll();
    run.askEachOnce();
    double bytes = Meter.settledHeapBytes() - before;
    samples.add(Samples.of("session-live-bytes", contestant), bytes / sizes.sessions());
    run.remember(sizes.requests(), SessionRun.BATCH);
    for (int round = 0; round < sizes.rounds(); round++) {
      Meter meter = run.remember(sizes.requests(), SessionRun.BATCH);
      samples.add(Samples.of("session-request", contestant), meter.nanosPer(sizes.requests()));
      samples.add(Samples.of("session-allocation", contestant), meter.bytesPer(sizes.requests()));
      samples.add(Samples.of("processor-share", contestant), meter.processorShare());
    }
    if (contestant == Contestant.ONCEWARD) {
      run.remember(sizes.requests(), 1);
      for (int round = 0; round < sizes.rounds(); round++) {
        Meter meter = run.remember(sizes.requests(), 1);
        samples.add("session-request-alone", meter.nanosPer(sizes.requests()));
      }
    }
    run.check();
  }

  private static void keys(
      Contestant contestant, String prefix, int records, Sizes sizes, Samples samples) {
    KeyRun rehearsal = new KeyRun(contestant::keys, REHEARSAL);
    rehearsal.fill();
    rehearsal.remember(REHEARSAL, KeyRun.BATCH);
    rehearsal.replay(REHEARSAL, KeyRun.BATCH);
    long before = Meter.settledHeapBytes();
    KeyRun run = new KeyRun(contestant::keys, records);
    Meter filling = run.fill();
    run.turnOver();
    double bytes = Meter.settledHeapBytes() - before;
    samples.add(Samples.of(prefix + "-fill", contestant), filling.nanosPer(records));
    samples.add(Samples.of(prefix + "-bytes", contestant), bytes / run.memory().size());
    run.remember(sizes.requests(), KeyRun.BATCH);
    run.replay(sizes.requests(), KeyRun.BATCH);
    for (int round = 0; round < sizes.rounds(); round++) {
      Meter fresh = run.remember(sizes.requests(), KeyRun.BATCH);
      samples.add(Samples.of(prefix + "-request", contestant), fresh.nanosPer(sizes.requests()));
      samples.add(Samples.of(prefix + "-allocation", contestant), fresh.bytesPer(sizes.requests()));
      samples.add(Samples.of("processor-share", contestant), fresh.processorShare());
      Meter retried = run.replay(sizes.requests(), KeyRun.BATCH);
      samples.add(Samples.of(prefix + "-replay", contestant), retried.nanosPer(sizes.requests()));
      samples.add(
          Samples.of(prefix + "-replay-allocation", contestant),
          retried.bytesPer(sizes.requests()));
    }
    run.check();
    if (contestant == Contestant.ONCEWARD) {
      keysAlone(run, prefix, sizes, samples);
    }
  }

  private static void keysAlone(KeyRun run, String prefix, Sizes sizes, Samples samples) {
    run.remember(sizes.requests(), 1);
    run.replay(sizes.requests(), 1);
    for (int round = 0; round < sizes.rounds(); round++) {
      Meter fresh = run.remember(sizes.requests(), 1);
      samples.add(prefix + "-request-alone", fresh.nanosPer(sizes.requests()));
      Meter retried = run.replay(sizes.requests(), 1);
      samples.add(prefix + "-replay-alone", retried.nanosPer(sizes.requests()));
    }
    run.check();
  }

  private static void idleSessions(Sizes sizes, Path scratch, Samples samples) {
    new SessionRun(new SessionTableMemory(), new int[REHEARSAL]).openAll();
    int[] sequenceOf = new int[sizes.sessions()];
    long before = Meter.settledHeapBytes();
    SessionRun run = new SessionRun(new SessionTableMemory(), sequenceOf);
    run.openAll();
    double bytes = Meter.settledHeapBytes() - before;
    samples.add("session-idle-bytes", bytes / sizes.sessions());
    run.check();
  }

  private static void tombstones(Sizes sizes, Path scratch, Samples samples) {
    buried(REHEARSAL);
    long before = Meter.settledHeapBytes();
    KeyTableMemory memory = buried(sizes.keys());
    double bytes = Meter.settledHeapBytes() - before;
    samples.add("tombstone-bytes", bytes / memory.size());
  }

  /** A table full of acknowledged keys, after time enough to tidy up. */
  private static KeyTableMemory buried(int keys) {
    KeyTableMemory memory = new KeyTableMemory(KeyRun.retentionMillis(keys));
    new KeyRun(retentionMillis -> memory, keys).fill();
    memory.acknowledge(0, keys);
    // Each tick looks at a stretch of the table; this is enough to look at all of it twice.
    long ticks = 2 + 2L * keys * 64 / TIDY_STEP_BYTES;
    for (long i = 0; i < ticks; i++) {
      memory.tick();
    }
    return memory;
  }
}
