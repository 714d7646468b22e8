package io.onceward.cli.demo;

import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Abandonment;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.OutcomeUnknownException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a client process does: it runs errands, several at a time and no faster than it is told to,
 * and writes down what it asks before it asks, and what it is told as soon as it is told.
 *
 * <p>Some callers are impatient: they stop waiting, and then abandon the request, which decides; or
 * they send the same thing twice by themselves, under the same key.
 */
public final class ClientProgram {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long GAUGE_MILLIS = 250;
  private static final long BURST_MILLIS = 100;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final ClientPlan plan;
  private final RecordFile record;
  private final Onceward onceward;
  private final Random dice;
  private final Map<String, Long> pending = new ConcurrentHashMap<>();
  private final AtomicLong decided = new AtomicLong();
  private final AtomicLong declined = new AtomicLong();
  private final AtomicLong replays = new AtomicLong();
  private Latencies latencies = new Latencies();
  private volatile boolean finishing;

  private ClientProgram(ClientPlan plan, RecordFile record, Onceward onceward) {
    this.plan = plan;
    this.record = record;
    this.onceward = onceward;
    this.dice = new Random(plan.seed() * 1_000 + plan.process());
  }

  public static void main(String[] words) {
    Demo.silenceLibraries();
    ClientPlan plan = ClientPlan.parse(List.of(words));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, problem) -> {
          say(thread.getName() + ": " + cause(problem));
          Runtime.getRuntime().halt(1);
        });
    try (RecordFile record = RecordFile.create(plan.record());
        Onceward onceward = connect(plan)) {
      new ClientProgram(plan, record, onceward).run();
    } catch (IOException problem) {
      say(problem.toString());
    }
    Runtime.getRuntime().halt(1);
  }

  private static Onceward connect(ClientPlan plan) {
    Onceward.Builder builder = Onceward.builder();
    plan.gates().values().forEach(builder::address);
    return builder
        .reachedAt(told -> plan.gates().getOrDefault(told, told))
        .patience(PATIENCE)
        .build();
  }

  private void run() throws IOException {
    Thread orders = new Thread(this::hear, "orders");
    orders.setDaemon(true);
    orders.start();
    Desk desk = Desk.open(plan, onceward, this);
    say(DemoClient.READY);
    Thread gauges = new Thread(this::tellGauges, "gauges");
    gauges.setDaemon(true);
    gauges.start();
    work(desk);
    while (!pending.isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    tellGauge();
    say(DemoClient.FINISHED);
    // The session stays open, so that its last replies can be asked for.
    while (true) {
      LockSupport.park();
    }
  }

  private void work(Desk desk) throws IOException {
    long begin = System.nanoTime();
    long granted = 0;
    long number = 0;
    while (!finishing) {
      long due = due(begin);
      // What could not be asked during an outage is not made up for, but for a small burst.
      granted = Math.max(granted, due - Math.max(1, plan.perSecond() * BURST_MILLIS / 1_000));
      while (granted < due && pending.size() < plan.depth() && !finishing) {
        granted++;
        number++;
        desk.ask(plan.tag(number), Errand.draw(dice), dice);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private long due(long beginNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    return millis * plan.perSecond() / 1_000;
  }

  /** Writes down an errand; only then may it be sent. */
  void asking(String tag, Errand errand, int copies) throws IOException {
    pending.put(tag, System.nanoTime());
    record.write(new Line.Asked(tag, copies, errand));
  }

  /** An errand that an earlier process wrote down. */
  void recovered(String tag) {
    pending.put(tag, System.nanoTime());
  }

  /**
   * Writes down what is told, or what goes wrong, when it comes.
   *
   * @param abandoning how to decide a request whose caller has stopped waiting
   * @param afterwards is done once a reply is written down
   */
  void heed(
      String tag,
      CompletableFuture<Decided> answer,
      Function<RequestId, CompletableFuture<Abandonment>> abandoning,
      Runnable afterwards) {
    whenKnown(
        answer,
        (decided, problem) -> {
          if (decided != null) {
            told(tag, decided);
            afterwards.run();
          } else if (cause(problem) instanceof OutcomeUnknownException unknown
              && unknown.requestId().isPresent()) {
            RequestId id = unknown.requestId().get();
            whenKnown(abandoning.apply(id), (fate, trouble) -> abandoned(tag, id, fate, trouble));
          } else {
            complain(tag, problem);
          }
        });
  }

  /** What fails in here must not stay in a future that nobody looks at. */
  private static <T> void whenKnown(
      CompletableFuture<T> answer, BiConsumer<@Nullable T, @Nullable Throwable> action) {
    CompletableFuture<?> unused =
        answer.whenComplete(
            (result, problem) -> {
              try {
                action.accept(result, problem);
              } catch (RuntimeException bug) {
                say("unexpected: " + bug);
                Runtime.getRuntime().halt(1);
              }
            });
  }

  private void told(String tag, Decided answer) {
    write(Line.Told.of(tag, answer));
    if (answer.replay()) {
      replays.incrementAndGet();
    }
    Long began = pending.remove(tag);
    if (began != null) {
      decided.incrementAndGet();
      if (answer.reply().kind() == Reply.Kind.BUSINESS_ERROR) {
        declined.incrementAndGet();
      }
      synchronized (this) {
        latencies.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began));
      }
    }
  }

  private void abandoned(
      String tag, RequestId id, @Nullable Abandonment fate, @Nullable Throwable trouble) {
    if (fate instanceof Abandonment.Executed executed) {
      told(tag, executed.decided());
    } else if (fate != null) {
      write(new Line.Abandoned(tag, id));
      pending.remove(tag);
    } else {
      complain(tag, trouble);
    }
  }

  /** What no errand should lead to; the proof will name it. */
  private void complain(String tag, @Nullable Throwable problem) {
    write(new Line.Complaint(tag + ": " + cause(problem)));
    pending.remove(tag);
  }

  private static @Nullable Throwable cause(@Nullable Throwable problem) {
    return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
  }

  private void write(Line line) {
    try {
      record.write(line);
    } catch (IOException problem) {
      // What cannot be written down cannot be proven.
      say("cannot write: " + problem);
      Runtime.getRuntime().halt(1);
    }
  }

  private void hear() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(DemoClient.FINISH)) {
          finishing = true;
        }
      }
    } catch (IOException gone) {
      // Like the end of it.
    }
    Runtime.getRuntime().halt(0);
  }

  private void tellGauges() {
    while (true) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(GAUGE_MILLIS));
      tellGauge();
    }
  }

  private void tellGauge() {
    Latencies recent;
    synchronized (this) {
      recent = latencies;
      latencies = new Latencies();
    }
    say(
        new Gauge(
                decided.get(),
                declined.get(),
                replays.get(),
                onceward.traffic().resent(),
                pending.size(),
                recent)
            .print());
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
