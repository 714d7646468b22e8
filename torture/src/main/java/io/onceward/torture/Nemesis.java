package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets faults happen, in episodes: one to three at a time, for a while; then everything is healed
 * and somebody must lead again. Kinds, victims and times come from the seed; what the machine makes
 * of them is its own business.
 */
final class Nemesis {
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  /** So that a pause of more than ten seconds can show while a majority is up and connected. */
  private static final int LONG_ONE_IN = 6;

  private final Cluster cluster;
  private final Clients clients;
  private final Faults faults;
  private final Chronicle chronicle;
  private final Dice dice;
  private final List<Kind> bag = new ArrayList<>();
  private final Set<Kind> kinds;
  private final List<String> violations = new ArrayList<>();
  private final Availability availability;
  private volatile boolean stopping;

  Nemesis(
      Cluster cluster,
      Clients clients,
      Builds builds,
      Chronicle chronicle,
      Availability availability,
      Set<Kind> kinds,
      long seed) {
    this.cluster = cluster;
    this.clients = clients;
    this.chronicle = chronicle;
    this.availability = availability;
    this.kinds = kinds;
    this.dice = new Dice(seed);
    this.faults = new Faults(cluster, clients, builds, dice);
  }

  /** No further episode begins. */
  void stop() {
    stopping = true;
  }

  /** What must not happen whatever the faults are. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** Goes on until it is stopped; everything is healed when it returns. */
  void run(long untilMillis) throws Exception {
    while (!stopping && chronicle.nowMillis() < untilMillis && violations.isEmpty()) {
      Thread.sleep(dice.between(100, 800));
      episode();
    }
    heal(Map.of());
    availability.unclear(chronicle.nowMillis());
  }

  private void episode() throws Exception {
    Map<Fault, Long> begun = new LinkedHashMap<>();
    List<TortureNode> free = new ArrayList<>(cluster.members());
    int wanted = 1 + dice.nextInt(3);
    for (int i = 0; i < wanted; i++) {
      Kind kind = draw();
      if (kind.wantsToBeAlone()) {
        if (!begun.isEmpty()) {
          bag.add(kind);
          Collections.shuffle(bag, dice);
          break;
        }
        wanted = 1;
      }
      Fault fault = make(kind, free);
      if (fault != null) {
        chronicle.tell(fault.what());
        chronicle.begun(fault);
        begun.put(fault, chronicle.nowMillis());
        availability.unclear(chronicle.nowMillis());
        fault.begin().take();
        if (majorityTakesPart(begun.keySet())) {
          availability.expected(fault.what(), chronicle.nowMillis());
        }
        Thread.sleep(dice.between(0, 400));
      }
    }
    Thread.sleep(
        isOneAway(begun.keySet()) && dice.nextInt(LONG_ONE_IN) == 0
            ? dice.between(12_000, 15_000)
            : dice.between(100, 2_500));
    heal(begun);
  }

  /** Whether some node is away and a majority is not. */
  private boolean isOneAway(Set<Fault> faults) {
    return majorityTakesPart(faults)
        && faults.stream().anyMatch(fault -> fault.kind().harm() == Fault.Harm.ONE);
  }

  private boolean majorityTakesPart(Set<Fault> faults) {
    int away = 0;
    for (Fault fault : faults) {
      away +=
          switch (fault.kind().harm()) {
            case NONE -> 0;
            case ONE -> 1;
            case MANY -> cluster.members().size();
          };
    }
    return 2 * away < cluster.members().size();
  }

  /** A cluster without a leader has a fault already; it is not made worse. */
  private @org.jspecify.annotations.Nullable Fault make(Kind kind, List<TortureNode> free)
      throws InterruptedException {
    try {
      if (cluster.leader() == null) {
        return null;
      }
      return faults.make(kind, free);
    } catch (TimeoutException nobodyLeads) {
      return null;
    }
  }

  private Kind draw() {
    if (bag.isEmpty()) {
      for (Kind kind : kinds) {
        bag.addAll(Collections.nCopies(kind.weight(), kind));
      }
      Collections.shuffle(bag, dice);
    }
    return bag.remove(bag.size() - 1);
  }

  private void heal(Map<Fault, Long> begun) throws Exception {
    if (!majorityTakesPart(begun.keySet())) {
      availability.unclear(chronicle.nowMillis());
    }
    for (Fault fault : begun.keySet()) {
      fault.end().take();
    }
    for (TortureNode node : cluster.members()) {
      String end = node.unexpectedEnd();
      if (!end.isEmpty()) {
        violations.add(end);
      }
    }
    cluster.heal();
    clients.heal();
    if (cluster.allAreUp(RECOVERY)) {
      availability.healed(chronicle.nowMillis());
    }
    cluster.awaitReady();
    if (!violations.isEmpty()) {
      return;
    }
    long healed = System.nanoTime();
    try {
      cluster.awaitLeader(RECOVERY);
    } catch (TimeoutException late) {
      violations.add("after everything was healed, " + late.getMessage());
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed);
    if (millis > 5_000) {
      chronicle.tell("it took " + millis + " ms after healing until somebody led");
    }
    begun.forEach(chronicle::ended);
  }
}
