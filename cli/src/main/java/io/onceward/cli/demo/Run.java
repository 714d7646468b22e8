package io.onceward.cli.demo;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.demo.ClientPlan.Kind;
import io.onceward.cli.demo.Figures.Phase;
import io.onceward.examples.ledger.Ledger;
import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One demo from the first process to the last finding. */
final class Run {
  private static final List<Kind> CLIENTS =
      List.of(Kind.REGISTERED, Kind.AUTO, Kind.DURABLE, Kind.DURABLE);

  /** Often, so that a node that was away for seconds may find the log gone and need a snapshot. */
  private static final String SNAPSHOT_EVERY = "1000";

  private static final int DEPTH = 64;
  private static final long START_MILLIS = 130_000;
  private static final long CLIENT_START_MILLIS = 100_000;
  private static final long FINISH_MILLIS = 60_000;
  private static final long PROOF_MILLIS = 120_000;
  private static final long FRAME_MILLIS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final DemoSettings settings;
  private final Display display;
  private final Workplace place;
  private final Watchdog watchdog;
  private final Chronicle chronicle;
  private final Meter meter = new Meter(CLIENTS.size());
  private final List<DemoNode> nodes = new CopyOnWriteArrayList<>();
  private final List<DemoClient> clients = new CopyOnWriteArrayList<>();
  private volatile Phase phase = Phase.STARTING;
  private volatile String activity = Phase.STARTING.words();
  private long endMillis;

  Run(DemoSettings settings, Display display, Workplace place, Watchdog watchdog) {
    this.settings = settings;
    this.display = display;
    this.place = place;
    this.watchdog = watchdog;
    this.chronicle = new Chronicle(display::happened);
  }

  /** Plays it. */
  Conclusion play() throws IOException, InterruptedException {
    watchdog.during("starting", START_MILLIS + CLIENT_START_MILLIS);
    CompletableFuture<Void> curtain = new CompletableFuture<>();
    Thread painter = new Thread(() -> paint(curtain), "painter");
    painter.setDaemon(true);
    painter.start();
    try {
      startNodes();
      Observer observer = place.with(Observer.of(nodes.stream().map(DemoNode::member).toList()));
      Lookout lookout = place.with(Lookout.over(nodes, observer::status, chronicle));
      Path house = place.folder().resolve("house.record");
      observer.deposit(house);
      startClients();
      work(lookout);
      finishClients();
      lookout.close();
      return prove(observer, house);
    } finally {
      curtain.complete(null);
      painter.join(5_000);
    }
  }

  private void enter(Phase next) {
    activity = next.words();
    phase = next;
  }

  private void startNodes() throws IOException {
    List<Member> members = FreePorts.members(settings.nodes(), i -> "node" + (i + 1));
    for (Member self : members) {
      Gate gate = Gate.before(self.clientPort());
      ServerLaunch launch =
          ServerLaunch.of(place.folder().resolve(self.id()), self, members)
              .service(Errand.LEDGER_SERVICE, Ledger.class.getName())
              .options("--snapshot-every", SNAPSHOT_EVERY);
      nodes.add(place.with(new DemoNode(launch, gate)));
    }
    for (DemoNode node : nodes) {
      node.start();
    }
    for (DemoNode node : nodes) {
      node.awaitReady();
    }
    chronicle.news(Numbers.count(nodes.size(), "node is", "nodes are") + " ready");
  }

  private void startClients() throws IOException, InterruptedException {
    Map<String, String> gates = new LinkedHashMap<>();
    nodes.forEach(node -> gates.put(node.member().clientAddress(), node.gate().address()));
    Path folder = Files.createDirectory(place.folder().resolve("clients"));
    for (int i = 0; i < CLIENTS.size(); i++) {
      ClientPlan plan =
          new ClientPlan(
              "client" + (i + 1),
              CLIENTS.get(i),
              1,
              folder,
              settings.seed() * CLIENTS.size() + i,
              Math.max(1, settings.perSecond() / CLIENTS.size()),
              DEPTH,
              gates);
      clients.add(place.with(new DemoClient(i, plan, meter)));
    }
    for (DemoClient client : clients) {
      client.start();
    }
    await(
        "the clients' start",
        clients.stream().map(DemoClient::ready).toList(),
        CLIENT_START_MILLIS);
    chronicle.news(Numbers.count(clients.size(), "client is", "clients are") + " at work");
  }

  private void work(Lookout lookout) throws InterruptedException {
    watchdog.during("the work", settings.lengthMillis() + START_MILLIS);
    chronicle.begin();
    meter.begin(chronicle.elapsedMillis());
    enter(Phase.WORKING);
    Saboteur saboteur =
        new Saboteur(
            settings.faults() ? FaultPlan.of(settings.seed(), settings.lengthMillis()) : List.of(),
            settings.lengthMillis(),
            nodes,
            clients,
            lookout,
            chronicle,
            meter);
    CompletableFuture<Void> sabotage = CompletableFuture.runAsync(saboteur, this::inThread);
    while (chronicle.elapsedMillis() < settings.lengthMillis()) {
      requireAlive();
      if (sabotage.isCompletedExceptionally()) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(FRAME_MILLIS);
    }
    saboteur.stop();
    await("the end of the faults", List.of(sabotage), START_MILLIS);
    endMillis = chronicle.elapsedMillis();
  }

  private void inThread(Runnable work) {
    Thread thread = new Thread(work, "saboteur");
    thread.setDaemon(true);
    thread.start();
  }

  private void requireAlive() {
    for (DemoNode node : nodes) {
      if (node.diedByItself()) {
        throw new DemoFailure(node.id() + " ended by itself: " + node.lastWords());
      }
    }
    for (DemoClient client : clients) {
      if (client.diedByItself()) {
        throw new DemoFailure(client.name() + " ended by itself: " + client.lastWords());
      }
    }
  }

  private void finishClients() throws InterruptedException {
    watchdog.during("finishing the clients' work", FINISH_MILLIS + 10_000);
    enter(Phase.STOPPING);
    await(
        "the end of the clients' work",
        clients.stream().map(DemoClient::finish).toList(),
        FINISH_MILLIS);
  }

  private Conclusion prove(Observer observer, Path house) throws IOException {
    watchdog.during("the proof", PROOF_MILLIS);
    enter(Phase.PROVING);
    List<Proof.Client> records = new ArrayList<>();
    records.add(new Proof.Client("the house", List.of(house), false));
    clients.forEach(client -> records.add(client.records()));
    Proof proof = new Proof(observer, records, PATIENCE, step -> activity = step);
    List<Finding> findings = proof.findings();
    enter(Phase.DONE);
    if (findings.stream().anyMatch(finding -> !finding.holds())) {
      place.keep();
    }
    return new Conclusion(
        endMillis,
        proof.decided(),
        meter.total(),
        meter.overall(endMillis),
        chronicle.troubles(),
        findings,
        settings.replay(),
        place.isKept() ? place.folder().toString() : "");
  }

  private static void await(String what, List<CompletableFuture<Void>> all, long millis)
      throws InterruptedException {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
          .get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new DemoFailure(what + " failed: " + reason(failed), failed);
    } catch (TimeoutException late) {
      throw new DemoFailure(what + " did not come within " + millis / 1_000 + " s", late);
    }
  }

  private static String reason(ExecutionException failed) {
    Throwable cause = failed.getCause();
    return cause == null || cause.getMessage() == null ? failed.toString() : cause.getMessage();
  }

  /** Draws until the curtain falls; closes a second in the books whenever one is over. */
  private void paint(CompletableFuture<Void> curtain) {
    long nextSecond = 1_000;
    while (!curtain.isDone()) {
      if (phase == Phase.WORKING && chronicle.elapsedMillis() >= nextSecond) {
        meter.sample(chronicle.elapsedMillis());
        nextSecond = chronicle.elapsedMillis() / 1_000 * 1_000 + 1_000;
        display.second(figures());
      } else {
        display.show(figures());
      }
      try {
        curtain.get(FRAME_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException stillOpen) {
        // The next picture.
      } catch (InterruptedException | ExecutionException ended) {
        return;
      }
    }
    display.show(figures());
  }

  private Figures figures() {
    Meter.Sample sample = meter.lastSample();
    long elapsed = phase == Phase.STARTING ? 0 : chronicle.elapsedMillis();
    return new Figures(
        phase,
        settings.seed(),
        Math.min(elapsed, settings.lengthMillis()),
        settings.lengthMillis(),
        meter.total(),
        sample.perSecond(),
        sample.p50Micros(),
        sample.p99Micros(),
        chronicle.leader(),
        chronicle.term(),
        chronicle.troubles(),
        nodes.stream().map(DemoNode::view).toList(),
        clients.stream().map(DemoClient::view).toList(),
        meter.history(),
        activity,
        chronicle.now(),
        chronicle.events());
  }
}
