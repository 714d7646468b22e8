package io.onceward.torture.hostile;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.client.Counters;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.services.CounterCommand;
import io.onceward.services.ServiceDirectory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients as they should be, over the library that ships: sessions and keys, at a fixed rate that
 * leaves the machine room. Time is counted from the moment at which a request was due, so that a
 * stall counts for everyone whom it held up.
 *
 * <p>All add to one counter: in the end it must have counted exactly what was answered.
 */
final class HonestClients implements AutoCloseable {
  static final int PER_SECOND = 200;
  private static final int SESSIONS = 4;
  private static final int WARMING_PER_SECOND = 10 * PER_SECOND;
  private static final long PATIENCE_SECONDS = 30;
  private static final String COUNTER = "honest";

  private final String address;
  private final Onceward client;
  private final List<Session> sessions = new ArrayList<>();
  private final Keyed keyed;
  private final Map<Key, Bytes> promised = new LinkedHashMap<>();
  private final AtomicLong answered = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  HonestClients(String address) throws Exception {
    this.address = address;
    client = Onceward.connect(address);
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(get(client.openSession()));
    }
    keyed = client.keyed().keepingReplies();
  }

  /** Asks for so long, and waits for all answers. */
  Latencies ask(double seconds) throws Exception {
    return ask((int) (seconds * PER_SECOND), PER_SECOND);
  }

  /** Asks so often that what serves them is compiled by the end of it. */
  void warmUp(int seconds) throws Exception {
    var unused = ask(seconds * WARMING_PER_SECOND, WARMING_PER_SECOND);
  }

  private Latencies ask(int count, int perSecond) throws Exception {
    long between = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long[] nanos = new long[count];
    List<CompletableFuture<?>> all = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = start + i * between;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      int number = i;
      all.add(
          add(i)
              .whenComplete(
                  (decided, problem) -> {
                    nanos[number] = System.nanoTime() - due;
                    if (problem == null) {
                      answered.incrementAndGet();
                    } else {
                      failures.add(problem);
                    }
                  }));
    }
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .handle((decided, problem) -> 0)
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      failures.add(late);
      markUnanswered(nanos);
    }
    return Latencies.of(nanos, System.nanoTime() - start);
  }

  private static void markUnanswered(long[] nanos) {
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = nanos[i] == 0 ? TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) : nanos[i];
    }
  }

  private CompletableFuture<Decided> add(int number) {
    int who = number % (SESSIONS + 1);
    return who < SESSIONS
        ? sessions.get(who).submit(ServiceDirectory.COUNTER, one())
        : keyed.submit(keyed.newKey(), ServiceDirectory.COUNTER, one());
  }

  private static Bytes one() {
    return CounterCommand.encode(new CounterCommand.Add(COUNTER, 1));
  }

  /** Has requests answered whose replies the node promises to keep. */
  void collectPromises(int count) throws Exception {
    promised.clear();
    for (int i = 0; i < count; i++) {
      Key key = keyed.newKey();
      Decided decided = get(keyed.submit(key, ServiceDirectory.COUNTER, one()));
      answered.incrementAndGet();
      promised.put(key, Bytes.of(decided.reply().bytes().toArray()));
    }
  }

  /**
   * What is wrong now, one line each: promises that were not kept, requests lost or doubled. Who
   * connects only now is served too.
   */
  List<String> complaints() throws Exception {
    List<String> complaints = new ArrayList<>();
    for (Throwable failure : failures) {
      complaints.add("an honest request failed: " + failure);
    }
    failures.clear();
    int broken = 0;
    for (Map.Entry<Key, Bytes> each : promised.entrySet()) {
      Decided again = get(keyed.submit(each.getKey(), ServiceDirectory.COUNTER, one()));
      broken += again.replay() && again.reply().bytes().equals(each.getValue()) ? 0 : 1;
    }
    if (broken > 0) {
      complaints.add(broken + " of " + promised.size() + " promised replies were not replayed");
    }
    for (Session session : sessions) {
      // A session that is gone says so here.
      get(session.submit(ServiceDirectory.COUNTER, one()));
      answered.incrementAndGet();
    }
    try (Onceward newcomer = Onceward.connect(address)) {
      // One that is not let in within its patience says so here.
      get(newcomer.keyed().submit(keyed.newKey(), ServiceDirectory.COUNTER, one()));
      answered.incrementAndGet();
    }
    long counted = get(Counters.in(sessions.get(0)).get(COUNTER));
    if (counted != answered.get()) {
      complaints.add(answered.get() + " requests were answered, " + counted + " were executed");
    }
    return complaints;
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    client.close();
  }
}
