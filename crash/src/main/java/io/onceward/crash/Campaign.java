package io.onceward.crash;

import io.onceward.crash.Child.Event;
import io.onceward.crash.bank.Movement;
import io.onceward.crash.bank.OutsideBank;
import io.onceward.crash.child.ChildSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rounds in one home. A process works on several requests at once; when each of them has reached
 * the step at which it is to die, the process is killed, and the next one, which stands by already,
 * is sent the same requests.
 */
final class Campaign {
  private final Home home;
  private final Schedule schedule;
  private final IntConsumer progress;
  private final Tally tally;
  private final List<Driver> drivers = new ArrayList<>();
  private final List<Round> closed = new ArrayList<>();

  /** How often a request stood in the outside book when it became unknown. */
  private final Map<Round, Long> bookedWhenUnknown = new HashMap<>();

  private final Supplier<Child> starting;
  private final Supplier<List<Movement>> book;
  private final @Nullable OutsideBank bank;
  private CompletableFuture<Child> spare;

  Campaign(
      Surroundings surroundings,
      Home home,
      @Nullable PlantedBug bug,
      int rounds,
      long seed,
      IntConsumer progress) {
    this.home = home;
    this.progress = progress;
    this.tally = new Tally(home);
    this.schedule = new Schedule(home, rounds, seed);
    for (int i = 0; i < home.lanes(); i++) {
      drivers.add(new Driver(i, this));
    }
    var database = home.needsPostgres() ? surroundings.freshBank(home.lanes()) : null;
    int clusterPort = home.needsCluster() ? surroundings.freshCluster() : 0;
    OutsideBank outside =
        home.isGuarded()
            ? surroundings.outsideBank(bug != PlantedBug.PROBE_EXCLUDES_NOTHING)
            : null;
    bank = outside;
    if (outside != null) {
      book = outside::movements;
    } else if (database != null) {
      book = () -> Surroundings.bookOf(database);
    } else {
      book = surroundings::bookOfCluster;
    }
    Path folder = surroundings.freshFolder();
    starting =
        () ->
            Child.start(
                callerPort ->
                    new ChildSettings(
                        home,
                        bug,
                        home.lanes(),
                        callerPort,
                        database == null ? 0 : surroundings.postgres().port(),
                        database == null
                            ? "crash"
                            : Objects.requireNonNull(database.getDatabaseName()),
                        outside == null ? 0 : outside.port(),
                        clusterPort,
                        folder));
    spare = CompletableFuture.supplyAsync(starting);
  }

  Tally run() {
    long began = System.nanoTime();
    try {
      boolean more = true;
      while (more) {
        more = live();
      }
      new Auditor(tally).audit(closed, book.get());
      tally.took((System.nanoTime() - began) / 1e9);
      return tally;
    } finally {
      spare.thenAccept(Child::kill).join();
      if (bank != null) {
        bank.close();
      }
    }
  }

  /** The life of one process; whether there has to be another. */
  private boolean live() {
    Child child = spare.join();
    spare = CompletableFuture.supplyAsync(starting);
    boolean pauses = schedule.pauses();
    try {
      child.begin();
      for (Driver driver : drivers) {
        driver.start(child, pauses);
      }
      while (drivers.stream().anyMatch(Driver::isWaiting)) {
        Event event = child.next();
        if (event.lane() >= 0) {
          drivers.get(event.lane()).hear(event);
        }
      }
    } catch (RuntimeException e) {
      child.kill();
      throw e;
    }
    if (home == Home.REPLICATED) {
      tally.burgled(spare.join().burgle());
    }
    boolean paused = false;
    boolean stopped = false;
    for (Driver driver : drivers) {
      driver.abandoned(child);
      Round round = driver.round();
      stopped |= round != null;
      paused |= round != null && round.pausedIn == child;
    }
    if (!paused) {
      kill(child, stopped);
    }
    return stopped || schedule.hasMore();
  }

  private void kill(Child child, boolean counts) {
    child.kill();
    if (counts) {
      tally.killed();
    }
  }

  /**
   * Lets the paused run of a round go on, now that another one has answered. It must not do or say
   * anything else than that one.
   */
  void wake(Round round) {
    Child paused = Objects.requireNonNull(round.pausedIn);
    paused.tell(round.lane, "go");
    Event word = paused.next();
    while (!(word instanceof Event.Told && word.lane() == round.lane)) {
      word = paused.next();
    }
    String line = ((Event.Told) word).line();
    if (line.startsWith("replied ")) {
      String[] words = line.split(" ", 5);
      round.answered(words[1] + " " + words[4]);
      round.answers--;
    }
    round.pausedIn = null;
    round.kills++;
    if (drivers.stream().map(Driver::round).noneMatch(each -> isPausedIn(each, paused))) {
      kill(paused, true);
    }
  }

  private static boolean isPausedIn(@Nullable Round round, Child child) {
    return round != null && round.pausedIn == child;
  }

  void noteUnknown(Round round) {
    round.unknowns++;
    bookedWhenUnknown.putIfAbsent(round, booked(round));
  }

  /** G2: what was unknown is never run again unless somebody has resolved it. */
  void checkNotSilent(Round round) {
    Long before = bookedWhenUnknown.remove(round);
    if (before != null && !round.resolved && booked(round) != before) {
      tally.row(round.step).different++;
      tally.found(round.transfer.request() + " was unknown and was run again all the same");
    }
  }

  private long booked(Round round) {
    return book.get().stream()
        .filter(movement -> movement.request().equals(round.transfer.request()))
        .count();
  }

  void gaveUp(Round round, String why) {
    tally.found(round.transfer.request() + " was not decided; the last word was: " + why);
  }

  void closed(Round round) {
    closed.add(round);
    progress.accept(closed.size());
  }

  Home home() {
    return home;
  }

  Schedule schedule() {
    return schedule;
  }

  OutsideBank bank() {
    return Objects.requireNonNull(bank, "no outside bank");
  }
}
