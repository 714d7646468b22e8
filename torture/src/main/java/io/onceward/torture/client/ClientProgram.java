package io.onceward.torture.client;

import io.onceward.Scope;
import io.onceward.client.DurableSession;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.client.SessionOptions;
import io.onceward.testkit.history.HistoryWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * A process of clients: it asks, no faster than it is told to, until it is told to finish, and
 * writes down what it asks before it asks, and what it hears as soon as it hears it.
 *
 * <p>It talks with whoever started it by lines: {@link #READY}, {@link #DECIDED} with a number now
 * and then, {@link #FINISHED}; what else it says is a complaint. It ends when its input does.
 */
public final class ClientProgram {
  public static final String READY = "ready";
  public static final String DECIDED = "decided ";
  public static final String FINISHED = "finished";
  public static final String FINISH = "finish";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int DEPTH = 256;
  private static final int QUERIES_PERCENT = 10;

  /** One query in so many goes to a node that may not lead. */
  private static final int ANY_NODE = 4;

  private static final long BURST_MILLIS = 100;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Keys of which nobody says that their replies were taken. */
  private static final Scope KEPT = new Scope("kept");

  private static final Scope ACKNOWLEDGED = new Scope("acknowledged");

  private final ClientPlan plan;
  private final Notebook notebook;
  private final Random dice;
  private final List<Onceward> connections = new ArrayList<>();
  private volatile boolean finishing;

  private ClientProgram(ClientPlan plan, HistoryWriter history) {
    this.plan = plan;
    this.notebook = new Notebook(history, ClientProgram::say);
    this.dice = new Random(plan.seed() * 1_000 + plan.number());
  }

  public static void main(String[] words) throws IOException {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, problem) -> {
          say(thread.getName() + ": " + problem);
          problem.printStackTrace(System.out);
          Runtime.getRuntime().halt(1);
        });
    ClientPlan plan = ClientPlan.parse(List.of(words));
    // Never closed: the last event may be that of a copy that is on its way at the end.
    new ClientProgram(plan, HistoryWriter.create(plan.history())).run();
  }

  private static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }

  private Onceward connect() {
    Onceward onceward = Onceward.builder().addresses(plan.addresses()).patience(PATIENCE).build();
    connections.add(onceward);
    return onceward;
  }

  private void run() {
    Thread orders = new Thread(this::hear, "orders");
    orders.setDaemon(true);
    orders.start();
    ScheduledExecutorService later =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "copies");
              thread.setDaemon(true);
              return thread;
            });
    Desk.Surroundings around =
        new Desk.Surroundings(
            notebook,
            new Copycat(plan.addresses()),
            later,
            new Random(dice.nextLong()),
            plan.copiesPercent());
    List<Desk> desks = plan.role() == ClientPlan.Role.STEADY ? steady(around) : mortal(around);
    say(READY);
    work(desks);
    while (notebook.pending() > 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      tell();
    }
    say(DECIDED + notebook.decided());
    say(FINISHED);
    // Sessions stay open, so that their last replies can be asked for.
    while (true) {
      LockSupport.park();
    }
  }

  private List<Desk> steady(Desk.Surroundings around) {
    Onceward one = connect();
    Onceward two = connect();
    Session registered = one.open(SessionOptions.registered()).join();
    Session unordered = one.open(SessionOptions.registered().unordered()).join();
    Session auto = two.open(SessionOptions.auto(plan.name() + "-auto")).join();
    return List.of(
        new Desk.OfSession(plan.name() + " registered", around, registered, true),
        new Desk.OfSession(plan.name() + " unordered", around, unordered, false),
        new Desk.OfSession(plan.name() + " auto", around, auto, true),
        new Desk.OfKeys(
            plan.name() + " keys",
            around,
            two.keyed(KEPT).keepingReplies(),
            List.of(one.keyed(KEPT).keepingReplies())),
        new Desk.OfKeys(
            plan.name() + " acknowledged keys",
            around,
            one.keyed(ACKNOWLEDGED),
            List.of(two.keyed(ACKNOWLEDGED).keepingReplies())));
  }

  private List<Desk> mortal(Desk.Surroundings around) {
    Onceward one = connect();
    Onceward two = connect();
    String first = plan.name() + "-ordered";
    String second = plan.name() + "-unordered";
    CompletableFuture<DurableSession> ordered = one.openDurable(first, plan.journal(first));
    CompletableFuture<DurableSession> unordered =
        one.openDurable(SessionOptions.durable(second).unordered(), plan.journal(second));
    return List.of(
        new Desk.OfJournal(first, around, ordered.join(), true),
        new Desk.OfJournal(second, around, unordered.join(), false),
        new Desk.OfKeys(
            plan.name() + " keys",
            around,
            two.keyed(KEPT).keepingReplies(),
            List.of(one.keyed(KEPT).keepingReplies())));
  }

  private void work(List<Desk> desks) {
    long begin = System.nanoTime();
    long granted = 0;
    long number = 0;
    while (!finishing) {
      long due =
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) * plan.perSecond() / 1_000;
      // What could not be asked during an outage is not made up for, but for a small burst.
      granted = Math.max(granted, due - Math.max(1, plan.perSecond() * BURST_MILLIS / 1_000));
      while (granted < due && notebook.pending() < DEPTH && !finishing) {
        granted++;
        number++;
        Desk desk = desks.get(dice.nextInt(desks.size()));
        if (dice.nextInt(100) < QUERIES_PERCENT) {
          if (dice.nextInt(ANY_NODE) == 0) {
            desk.queryAnyNode();
          } else {
            desk.query(connections.get(dice.nextInt(connections.size())));
          }
        } else {
          desk.ask(plan.name() + "." + plan.number() + "." + number, desk.workload.draw());
        }
      }
      tell();
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private long toldNanos;

  private void tell() {
    long now = System.nanoTime();
    if (now - toldNanos > TELL_NANOS) {
      toldNanos = now;
      say(DECIDED + notebook.decided());
    }
  }

  private void hear() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(FINISH)) {
          finishing = true;
        }
      }
    } catch (IOException gone) {
      // Like the end of it.
    }
    Runtime.getRuntime().halt(0);
  }
}
