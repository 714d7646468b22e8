package io.onceward.torture;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistoryCheck;
import io.onceward.torture.Fault.Kind;
import io.onceward.torture.client.Workload;
import io.onceward.torture.disk.LoopDisk;
import io.onceward.torture.net.Network;
import io.onceward.wire.NodeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** One run, from the first process to the last finding. */
public final class Run implements Closeable {
  private static final long FINISH_SECONDS = 90;
  private static final long AGREEMENT_MILLIS = 60_000;
  private static final long LOOK_MILLIS = 200;

  /** Often, so that a node that was away for seconds may find the log gone and need a snapshot. */
  private static final String SNAPSHOT_EVERY = "2000";

  /** What a run is made of. */
  public record Plan(TortureArguments arguments, Path folder, Planting planting) {}

  /**
   * How a mistake gets into processes: by flags of Java.
   *
   * @param servers flags of servers
   * @param clients flags of clients
   * @param takesLong whether the mistake shows only in how long requests take
   */
  public record Planting(List<String> servers, List<String> clients, boolean takesLong) {
    static Planting nothing() {
      return new Planting(List.of(), List.of(), false);
    }
  }

  private final Plan plan;
  private final Chronicle chronicle;
  private final Availability availability = new Availability();
  private final LongConsumer progress;
  private final List<Closeable> open = new CopyOnWriteArrayList<>();

  /** Who is interrupted leaves no disk mounted and no namespace behind. */
  private final Thread hook = new Thread(this::takeDown, "end of torture");

  public Run(Plan plan, Consumer<String> teller, LongConsumer progress) {
    this.plan = plan;
    this.chronicle = new Chronicle(teller);
    this.progress = progress;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private <T extends Closeable> T with(T thing) {
    open.add(0, thing);
    return thing;
  }

  /** Everything, in order. */
  public Conclusion play() throws Exception {
    TortureArguments arguments = plan.arguments();
    LoopDisk.removeLeftovers();
    List<String> names = List.of("a", "b", "c", "d", "e", "f").subList(0, arguments.nodes() + 1);
    Network network = with(Network.of(names, arguments.loopback()));
    Cluster cluster =
        with(
            Cluster.start(
                network, plan.folder(), names, arguments.nodes(), options(), plan.planting()));
    Set<Kind> kinds = kinds(cluster);
    House house = with(new House(cluster.observer(), plan.folder()));
    house.openAccounts();
    Clients clients =
        with(
            new Clients(
                plan.folder(),
                arguments.seed(),
                arguments.perSecond(),
                arguments.copiesPercent(),
                names.stream().map(name -> network.member(name).clientAddress()).toList(),
                plan.planting().clients()));
    clients.start();
    chronicle.tell("the clients are at work; faults begin");
    List<String> violations = torture(cluster, clients, kinds);
    chronicle.tell("the faults are over; the clients finish what they began");
    attempt(violations, () -> clients.finish(FINISH_SECONDS));
    clients.close();
    violations.addAll(clients.complaints());
    List<Path> histories = new ArrayList<>(clients.histories());
    histories.add(house.history());
    Check check = new Check(histories);
    chronicle.tell("asking for what nobody waits for any more");
    Map<String, Long> serials = new LinkedHashMap<>();
    attempt(
        violations,
        () -> {
          check.settle(house);
          serials.putAll(house.readAll());
        });
    Map<String, NodeStatus> nodes = agreement(cluster, violations);
    chronicle.tell("checking the history");
    HistoryCheck judged = check.judge(serials, nodes, (step, part) -> {});
    return new Conclusion(
        arguments,
        network.description(),
        missing(kinds),
        chronicle,
        judged.summary(),
        findings(judged, histories),
        violations,
        histories);
  }

  /**
   * Most planted mistakes are to be found by what they do to requests, not by how long they take.
   */
  private List<Finding> findings(HistoryCheck judged, List<Path> histories) throws IOException {
    List<Finding> findings = new ArrayList<>(judged.findings());
    TortureArguments asked = plan.arguments();
    if (!asked.anyPace() && (!asked.teeth() || plan.planting().takesLong())) {
      findings.add(availability.judge(histories, chronicle.beginNanos(), System.nanoTime()));
    }
    return findings;
  }

  /** What cannot be done is a violation; the history is checked all the same. */
  private static void attempt(List<String> violations, Fault.Step step) throws Exception {
    try {
      step.take();
    } catch (IOException problem) {
      violations.add(String.valueOf(problem.getMessage()));
    }
  }

  private List<String> options() {
    List<String> options = new ArrayList<>(List.of("--snapshot-every", SNAPSHOT_EVERY));
    Workload.SERVICES.forEach(
        (name, type) -> options.addAll(List.of("--service", name + "=" + type)));
    if (plan.arguments().verbose()) {
      options.add("--verbose");
    }
    return options;
  }

  private Set<Kind> kinds(Cluster cluster) {
    Set<Kind> kinds = Faults.possible(cluster);
    if (!plan.arguments().only().isEmpty()) {
      kinds.retainAll(plan.arguments().only());
    }
    if (kinds.isEmpty()) {
      throw new IllegalStateException("this machine allows none of the faults that were asked for");
    }
    for (Kind kind : missing(kinds)) {
      chronicle.tell("NOT TESTED here: " + kind.words());
    }
    return kinds;
  }

  /** The faults that were wanted and cannot be had. */
  private Set<Kind> missing(Set<Kind> possible) {
    Set<Kind> missing =
        plan.arguments().only().isEmpty()
            ? EnumSet.allOf(Kind.class)
            : EnumSet.copyOf(plan.arguments().only());
    missing.removeAll(possible);
    return missing;
  }

  private List<String> torture(Cluster cluster, Clients clients, Set<Kind> kinds) throws Exception {
    long until = chronicle.nowMillis() + plan.arguments().seconds() * 1_000L;
    Builds builds = new Builds(plan.folder().resolve("build"));
    Nemesis nemesis =
        new Nemesis(
            cluster, clients, builds, chronicle, availability, kinds, plan.arguments().seed());
    CompletableFuture<Void> torturing =
        CompletableFuture.runAsync(
            () -> {
              try {
                nemesis.run(until);
              } catch (Exception problem) {
                throw new java.util.concurrent.CompletionException(problem);
              }
            },
            task -> {
              Thread thread = new Thread(task, "nemesis");
              thread.setDaemon(true);
              thread.start();
            });
    while (!torturing.isDone()) {
      Thread.sleep(LOOK_MILLIS);
      progress.accept(clients.decided());
    }
    List<String> violations = new ArrayList<>(nemesis.violations());
    try {
      torturing.get();
    } catch (ExecutionException failed) {
      violations.add("the torture could not go on: " + reasons(failed));
    }
    return violations;
  }

  private static String reasons(Throwable problem) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
      text.append(text.length() == 0 ? "" : ": ").append(cause);
    }
    return text.toString();
  }

  /** What every member made of the log, once all have applied the same entries. */
  private static Map<String, NodeStatus> agreement(Cluster cluster, List<String> violations)
      throws InterruptedException {
    long deadline = System.nanoTime() + AGREEMENT_MILLIS * 1_000_000;
    Map<String, NodeStatus> told = new LinkedHashMap<>();
    while (System.nanoTime() < deadline) {
      told.clear();
      for (TortureNode node : cluster.members()) {
        NodeStatus status = cluster.status(node, true);
        if (status != null) {
          told.put(node.id(), status);
        }
      }
      boolean level = told.values().stream().map(NodeStatus::position).distinct().count() == 1;
      if (level && told.size() == cluster.members().size()) {
        return told;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    cluster.members().forEach(TortureNode::tellThreads);
    violations.add("the nodes do not come to the same position: " + standings(told.values()));
    return told;
  }

  private static String standings(Collection<NodeStatus> nodes) {
    return nodes.stream()
        .map(
            node ->
                "%s is %s%s in term %d at %d of %d"
                    .formatted(
                        node.id(),
                        node.role(),
                        node.leader().isEmpty() ? "" : " under " + node.leader(),
                        node.term(),
                        node.position(),
                        node.committed()))
        .collect(Collectors.joining(", "));
  }

  /** Takes everything down that it set up. What cannot be taken down, the next run removes. */
  @Override
  public void close() {
    takeDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // It is this hook that runs.
    }
  }

  private synchronized void takeDown() {
    for (Closeable thing : open) {
      try {
        thing.close();
      } catch (IOException | RuntimeException problem) {
        // The others have to go all the same.
      }
    }
    open.clear();
  }
}
