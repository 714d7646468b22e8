package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.client.SessionOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Clients that go on asking whatever happens to the servers, and remember what they were told: two
 * ordered sessions, an unordered one, and one client with keys, which sends many requests twice.
 *
 * <p>All add to one common counter, so the replies themselves are the proof: if everything happened
 * once, they are 1, 2, 3 … without a gap and without a repetition, whoever was told which.
 */
final class Load implements AutoCloseable {
  private static final int UNDER_WAY = 8;
  private static final int ASKED_AGAIN_AT_THE_END = 500;
  private static final long BETWEEN_NANOS = 1_000_000;
  private static final AtomicLong LOADS = new AtomicLong();

  private final Cluster cluster;
  private final String common = "load " + LOADS.incrementAndGet();
  private final Onceward client;
  private final List<Asker> askers = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  /** One request and all that was said about it. */
  private static final class Asked {
    final Key key;
    final List<Decided> told = Collections.synchronizedList(new ArrayList<>());

    Asked(Key key) {
      this.key = key;
    }
  }

  private Load(Cluster cluster) throws Exception {
    this.cluster = cluster;
    this.client = Onceward.connect(cluster.addresses());
    askers.add(new SessionAsker(open(SessionOptions.registered())));
    askers.add(new SessionAsker(open(SessionOptions.auto(common))));
    askers.add(new SessionAsker(open(SessionOptions.registered().unordered())));
    askers.add(new KeyedAsker());
    askers.forEach(Thread::start);
  }

  static Load start(Cluster cluster) throws Exception {
    return new Load(cluster);
  }

  private Session open(SessionOptions options) throws Exception {
    return Patience.get("a session", client.open(options));
  }

  // ---- asking ---------------------------------------------------------------------------------

  private abstract class Asker extends Thread {
    final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    final AtomicLong decided = new AtomicLong();
    private final Semaphore room = new Semaphore(UNDER_WAY);

    Asker() {
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!over.get()) {
        room.acquireUninterruptibly();
        Asked next = new Asked(Key.uuid(UUID.randomUUID()));
        int copies = copies(asked.size());
        asked.add(next);
        List<CompletableFuture<Decided>> sent = new ArrayList<>();
        for (int copy = 0; copy < copies; copy++) {
          sent.add(send(next).whenComplete((told, problem) -> hear(next, told, problem)));
        }
        var unused =
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                .whenComplete(
                    (all, problem) -> {
                      decided.incrementAndGet();
                      room.release();
                    });
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
      // Nothing is under way any more once all the room is free again.
      room.acquireUninterruptibly(UNDER_WAY);
    }

    private void hear(Asked one, Decided told, Throwable problem) {
      if (problem != null) {
        failures.add(problem);
      } else {
        one.told.add(told);
      }
    }

    abstract int copies(int number);

    abstract CompletableFuture<Decided> send(Asked next);
  }

  private final class SessionAsker extends Asker {
    final Session session;

    SessionAsker(Session session) {
      this.session = session;
    }

    @Override
    int copies(int number) {
      return 1;
    }

    @Override
    CompletableFuture<Decided> send(Asked next) {
      return session.submit(Commands.COUNTER, Commands.add(common));
    }
  }

  private final class KeyedAsker extends Asker {
    final Keyed keyed = client.keyed().keepingReplies();

    @Override
    int copies(int number) {
      return 1 + number % 2;
    }

    @Override
    CompletableFuture<Decided> send(Asked next) {
      return keyed.submit(next.key, Commands.COUNTER, Commands.add(common));
    }
  }

  // ---- waiting --------------------------------------------------------------------------------

  /** Waits until every client was told so many more decisions. */
  void goOn(int more) {
    List<Long> before = askers.stream().map(asker -> asker.decided.get()).toList();
    for (int i = 0; i < askers.size(); i++) {
      Asker asker = askers.get(i);
      long goal = before.get(i) + more;
      Patience.until(
          "client " + i + " of the load to get " + more + " more decisions; failures " + failures,
          () -> asker.decided.get() >= goal);
    }
  }

  /** The greatest value that anyone was told so far. */
  long greatestTold() {
    long greatest = 0;
    for (Asker asker : askers) {
      synchronized (asker.asked) {
        for (Asked one : asker.asked) {
          if (!one.told.isEmpty()) {
            greatest = Math.max(greatest, Commands.value(one.told.get(0).reply()));
          }
        }
      }
    }
    return greatest;
  }

  String counter() {
    return common;
  }

  // ---- the books ------------------------------------------------------------------------------

  /**
   * Ends the asking, waits until all is decided, and checks: nothing failed, nothing was lost or
   * doubled, sessions were in order, retries get the same reply, and all nodes agree.
   */
  void checkBooks() throws Exception {
    over.set(true);
    for (Asker asker : askers) {
      asker.join(Patience.LONG.toMillis());
      assertThat(asker.isAlive()).as("a client of the load that waits for decisions").isFalse();
    }
    assertThat(failures).isEmpty();
    List<Long> values = new ArrayList<>();
    for (Asker asker : askers) {
      for (Asked one : asker.asked) {
        values.add(sameValue(one));
      }
    }
    long total = values.size();
    assertThat(values)
        .as("what %s requests were told", total)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, total).boxed().toList());
    assertThat(cluster.counter(common)).isEqualTo(total);
    for (Asker asker : askers) {
      if (asker instanceof SessionAsker inSession) {
        checkSession(inSession);
      } else if (asker instanceof KeyedAsker byKey) {
        checkKeys(byKey);
      }
    }
    assertThat(cluster.counter(common)).as("after all were asked again").isEqualTo(total);
    cluster.agree();
  }

  /** All copies of a request were told the same, and at most one that it was the first. */
  private static long sameValue(Asked one) {
    List<Reply> replies = one.told.stream().map(Decided::reply).distinct().toList();
    assertThat(replies).as("replies to %s", one.key).hasSize(1);
    assertThat(one.told.stream().map(Decided::position).distinct()).hasSize(1);
    return Commands.value(replies.get(0));
  }

  private static void checkSession(SessionAsker asker) throws Exception {
    if (asker.session.info().ordered()) {
      List<Long> values = asker.asked.stream().map(Load::sameValue).toList();
      assertThat(values).as("an ordered session").isSorted();
    }
    for (Asked one : last(asker.asked, 20)) {
      Decided told = one.told.get(0);
      Outcome outcome = Patience.get("an outcome", asker.session.outcome(told.id()));
      assertThat(outcome)
          .isIn(
              new Outcome.Executed(told.reply(), told.position(), told.timeMillis()),
              new Outcome.Acknowledged());
    }
  }

  private static void checkKeys(KeyedAsker asker) throws Exception {
    List<CompletableFuture<Decided>> again = new ArrayList<>();
    List<Asked> sample = last(asker.asked, ASKED_AGAIN_AT_THE_END);
    sample.forEach(one -> again.add(asker.send(one)));
    for (int i = 0; i < sample.size(); i++) {
      Decided first = sample.get(i).told.get(0);
      Decided retried = Patience.get("a retry", again.get(i));
      assertThat(retried)
          .isEqualTo(
              new Decided(first.id(), first.reply(), true, first.position(), first.timeMillis()));
    }
  }

  private static List<Asked> last(List<Asked> asked, int most) {
    return asked.subList(Math.max(0, asked.size() - most), asked.size());
  }

  @Override
  public void close() {
    over.set(true);
    client.close();
  }
}
