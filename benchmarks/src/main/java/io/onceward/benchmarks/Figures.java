package io.onceward.benchmarks;

import static io.onceward.benchmarks.Contestant.ONCEWARD;

import io.onceward.benchmarks.Figure.Measured;
import io.onceward.benchmarks.Figure.Target;
import io.onceward.replica.KeyTableMemory;
import io.onceward.replica.SessionTableMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code bench table} prints, in order. Targets speak of {@link Sizes#STANDARD}. */
final class Figures {
  private static final String NANOS = "ns";
  private static final String BYTES = "bytes";
  private static final String MILLIS = "ms";
  private static final String SECONDS = "s";
  private static final String TIMES = "x";

  static final List<Figure> ALL = new Figures().figures;

  private final List<Figure> figures = new ArrayList<>();

  private Figures() {
    sessionRequests();
    keyRequests();
    growth();
    memory();
    snapshots();
    againstTheBest();
    noise();
  }

  private void sessionRequests() {
    contest(
        "session-request",
        "judge and remember a request of a random session, looked ahead in entries of 64",
        NANOS,
        atMost(150),
        Experiments.SESSIONS);
    single(
        "session-request-alone",
        "the same in entries of one request, so nothing is looked ahead for",
        NANOS,
        null,
        Experiments.SESSIONS + ONCEWARD.label());
    contest(
        "session-allocation",
        "what judging and remembering allocates, beside the request; its reply has 16 bytes",
        BYTES,
        atMost(16),
        Experiments.SESSIONS);
    single(
        "session-apply",
        "the whole way through Replica.apply: decode an entry of 64, judge, execute, remember",
        NANOS,
        null,
        Experiments.SESSION_APPLY);
    single(
        "session-apply-allocation",
        "what a session request allocates on that way",
        BYTES,
        null,
        Experiments.SESSION_APPLY);
  }

  private void keyRequests() {
    contest(
        "key-request",
        "judge and remember a new key while an old one expires, in entries of 64",
        NANOS,
        atMost(400),
        Experiments.KEYS);
    aloneOnceward("key-request-alone");
    contest(
        "key-allocation",
        "what that allocates, beside the request; the record itself is part of it",
        BYTES,
        null,
        Experiments.KEYS);
    contest(
        "key-fill",
        "a new key while the table fills up from empty, growth and garbage collection included",
        NANOS,
        null,
        Experiments.KEYS);
    contest(
        "key-replay",
        "judge the retry of a random remembered key, in entries of 64",
        NANOS,
        atMost(400),
        Experiments.KEYS);
    aloneOnceward("key-replay-alone");
    contest(
        "key-replay-allocation",
        "what that allocates, beside the request",
        BYTES,
        null,
        Experiments.KEYS);
    single(
        "key-apply",
        "a new key on the whole way through Replica.apply, in entries of 64",
        NANOS,
        null,
        Experiments.SNAPSHOT);
    single(
        "key-apply-allocation",
        "what a new key allocates on that way",
        BYTES,
        null,
        Experiments.SNAPSHOT);
  }

  private void aloneOnceward(String name) {
    single(
        name,
        "the same in entries of one request, so nothing is looked ahead for",
        NANOS,
        null,
        Experiments.KEYS + ONCEWARD.label());
  }

  private void growth() {
    growth("key-growth", "key-request", "new key");
    growth("key-replay-growth", "key-replay", "retry");
  }

  private void growth(String name, String metric, String of) {
    List<String> needed = new ArrayList<>();
    for (Contestant contestant : Contestant.values()) {
      needed.add(Experiments.KEYS + contestant.label());
      needed.add(Experiments.FEW_KEYS + contestant.label());
    }
    add(
        name,
        "how much longer a " + of + " takes among all keys than among a few thousand",
        TIMES,
        atMost(3),
        needed,
        results -> {
          SortedMap<String, List<Double>> compared = new TreeMap<>();
          for (Contestant other : Contestant.ALTERNATIVES) {
            compared.put(other.label(), grown(results, metric, other));
          }
          String note =
              Report.number(Results.median(results.all(Samples.of("few-" + metric, ONCEWARD))))
                  + " ns among few";
          return new Measured(grown(results, metric, ONCEWARD), compared, note);
        });
  }

  private static List<Double> grown(Results results, String metric, Contestant contestant) {
    return results.ratios(Samples.of(metric, contestant), Samples.of("few-" + metric, contestant));
  }

  private void memory() {
    byLayout(
        "session-idle-bytes",
        "heap of an idle registered session: row, indexes, pages, wheel",
        atMost(96),
        List.of(Experiments.IDLE_SESSIONS),
        SessionTableMemory.idleBytesByLayout(),
        results -> alone(results, "session-idle-bytes"));
    byLayout(
        "session-live-bytes",
        "heap of a session with one reply of 16 bytes; the others keep only the last reply",
        null,
        everyone(Experiments.SESSIONS),
        SessionTableMemory.liveBytesByLayout(),
        results -> beside(results, "session-live-bytes"));
    byLayout(
        "key-bytes",
        "heap of a key with a reply of 16 bytes, all included",
        atMost(72),
        everyone(Experiments.KEYS),
        KeyTableMemory.bytesByLayout(),
        results -> beside(results, "key-bytes"));
    byLayout(
        "tombstone-bytes",
        "heap of a key that was acknowledged, after ticks have tidied up",
        atMost(24),
        List.of(Experiments.TOMBSTONES),
        KeyTableMemory.tombstoneBytesByLayout(),
        results -> alone(results, "tombstone-bytes"));
  }

  /** A heap figure, beside what the layout says that it should be. */
  private void byLayout(
      String name,
      String what,
      @Nullable Target target,
      List<String> experiments,
      double expected,
      Function<Results, Measured> measured) {
    add(
        name,
        what,
        BYTES,
        target,
        experiments,
        results -> {
          Measured heap = measured.apply(results);
          String note = Report.number(expected) + " by layout";
          if (Math.abs(Results.median(heap.samples()) / expected - 1) > 0.15) {
            note += ", which is far off";
          }
          return new Measured(heap.samples(), heap.compared(), note);
        });
  }

  private void snapshots() {
    single(
        "snapshot-freeze",
        "how long apply stands still to freeze a view of all keys",
        MILLIS,
        atMost(10),
        Experiments.SNAPSHOT);
    worst(
        "snapshot-worst-apply",
        "the longest apply of new keys or a tick while it is written, garbage collections left out",
        "worst-apply-without-snapshot");
    worst(
        "snapshot-worst-acknowledge",
        "the same for entries whose 64 requests each acknowledge a random key",
        "worst-acknowledge-without-snapshot");
    single(
        "snapshot-write",
        "how long it takes to write beside applying",
        SECONDS,
        null,
        Experiments.SNAPSHOT);
    single("snapshot-size", "its size", "MB", null, Experiments.SNAPSHOT);
    single("snapshot-rate", "how fast it is written", "MB/s", null, Experiments.SNAPSHOT);
    add(
        "restore",
        "how long a JVM that has just started takes to read it",
        SECONDS,
        atMost(10),
        List.of(Experiments.SNAPSHOT, Experiments.RESTORE),
        results -> alone(results, "restore"));
  }

  private void worst(String name, String what, String without) {
    add(
        name,
        what,
        MILLIS,
        atMost(10),
        List.of(Experiments.SNAPSHOT),
        results ->
            new Measured(
                results.all(name),
                new TreeMap<>(),
                median(results, without)
                    + " while none is written; any, with garbage collections: "
                    + median(results, "snapshot-worst-apply-with-gc")));
  }

  private static String median(Results results, String name) {
    return Report.number(Results.median(results.all(name)));
  }

  private void againstTheBest() {
    versus("session-request", "as fast or faster", atLeast(1), Experiments.SESSIONS);
    versus("key-request", "as fast or faster", atLeast(1), Experiments.KEYS);
    versus("key-replay", "as fast or faster", atLeast(1), Experiments.KEYS);
    versus("key-bytes", "at least three times smaller", atLeast(3), Experiments.KEYS);
  }

  private void versus(String metric, String wish, Target target, String experiments) {
    add(
        metric + "-versus-best",
        "the best alternative's " + metric + " divided by ours: " + wish,
        TIMES,
        target,
        everyone(experiments),
        results -> {
          SortedMap<String, List<Double>> compared = new TreeMap<>();
          String best = "";
          for (Contestant other : Contestant.ALTERNATIVES) {
            List<Double> ratios =
                results.ratios(Samples.of(metric, other), Samples.of(metric, ONCEWARD));
            compared.put(other.label(), ratios);
            List<Double> least = compared.get(best);
            if (least == null || Results.median(ratios) < Results.median(least)) {
              best = other.label();
            }
          }
          return new Measured(compared.getOrDefault(best, List.of()), compared, "best is " + best);
        });
  }

  private void noise() {
    List<String> experiments = new ArrayList<>(everyone(Experiments.SESSIONS));
    experiments.addAll(everyone(Experiments.KEYS));
    add(
        "processor-share",
        "how much of the time the measuring thread had a processor; the rest is other programs",
        "%",
        null,
        experiments,
        results -> beside(results, "processor-share"));
  }

  private void contest(
      String metric, String what, String unit, @Nullable Target target, String experiments) {
    add(metric, what, unit, target, everyone(experiments), results -> beside(results, metric));
  }

  /** Onceward's samples beside those of the alternatives. */
  private static Measured beside(Results results, String metric) {
    SortedMap<String, List<Double>> compared = new TreeMap<>();
    for (Contestant other : Contestant.ALTERNATIVES) {
      compared.put(other.label(), results.all(Samples.of(metric, other)));
    }
    return new Measured(results.all(Samples.of(metric, ONCEWARD)), compared, "");
  }

  private void single(
      String name, String what, String unit, @Nullable Target target, String experiment) {
    add(name, what, unit, target, List.of(experiment), results -> alone(results, name));
  }

  /** Samples that there is nothing to compare with. */
  private static Measured alone(Results results, String name) {
    return new Measured(results.all(name), new TreeMap<>(), "");
  }

  private void add(
      String name,
      String what,
      String unit,
      @Nullable Target target,
      List<String> experiments,
      Function<Results, Measured> measured) {
    figures.add(new Figure(name, what, unit, target, experiments, measured));
  }

  private static List<String> everyone(String experiments) {
    List<String> names = new ArrayList<>();
    for (Contestant contestant : Contestant.values()) {
      names.add(experiments + contestant.label());
    }
    return names;
  }

  private static Target atMost(double bound) {
    return new Target(true, bound);
  }

  private static Target atLeast(double bound) {
    return new Target(false, bound);
  }
}
