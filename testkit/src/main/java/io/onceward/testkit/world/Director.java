package io.onceward.testkit.world;

import io.onceward.ClientKind;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.world.Scenario.Faults;
import java.util.List;

/**
 * Makes things go wrong, at the rates of the scenario, and in the end makes everything well again:
 * then every caller must get its decision.
 */
final class Director {
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long YEAR = 365 * 24 * HOUR;

  private final World world;
  private final Dice dice;
  private final Elections elections;
  private final List<Seat> seats;
  private final Dice nights;

  Director(World world, Dice dice, Elections elections, List<Seat> seats) {
    this.world = world;
    this.dice = dice;
    this.elections = elections;
    this.seats = seats;
    this.nights = world.dice("nights");
  }

  void begin(long activeMillis) {
    Faults faults = world.scenario().faults();
    every(faults.crashMillis(), this::crash);
    every(faults.partitionMillis(), this::divide);
    every(faults.electionMillis(), elections::hold);
    every(faults.clockMillis(), this::disturbClock);
    every(faults.stallMillis(), () -> anyNode().stall(dice.between(200, 6_000)));
    every(faults.clientCrashMillis(), this::crashClient);
    every(faults.adminMillis(), world.administrator()::wantsSomething);
    for (int i = 0; i < faults.skips(); i++) {
      world.time().after(dice.between(activeMillis / 10, activeMillis), this::skip);
    }
  }

  private void every(long meanMillis, Runnable fault) {
    if (meanMillis == 0) {
      return;
    }
    world
        .time()
        .after(
            dice.between(meanMillis / 3, meanMillis * 5 / 3),
            () -> {
              if (!world.finishing()) {
                if (!world.resting()) {
                  fault.run();
                }
                every(meanMillis, fault);
              }
            });
  }

  private Node anyNode() {
    return world.node(dice.below(world.nodes()));
  }

  private void crash() {
    boolean all = dice.perMille(100);
    Node one = anyNode();
    for (int number = 0; number < world.nodes(); number++) {
      Node node = world.node(number);
      boolean chosen = all || node == one || dice.perMille(100);
      if (chosen && node.isUp()) {
        node.crash();
        restartLater(node, dice.between(20, 5_000));
      }
    }
  }

  private void restartLater(Node node, long millis) {
    world
        .time()
        .after(
            millis,
            () -> {
              if (!node.isUp() && !world.outage()) {
                node.start();
              }
            });
  }

  private void divide() {
    int[] sides = new int[world.nodes()];
    for (int number = 0; number < sides.length; number++) {
      sides[number] = dice.below(2);
    }
    world.trace().note("divide", sides[0], sides.length, null);
    world.network().divide(sides);
    world.time().after(dice.between(100, 8_000), world.network()::unite);
  }

  private void disturbClock() {
    NodeClock clock = anyNode().clock;
    if (dice.perMille(world.scenario().faults().yearJumpPerMille())) {
      clock.jump(YEAR);
      world.time().after(dice.between(10, 3_000), () -> clock.jump(-YEAR));
      return;
    }
    switch (dice.below(10)) {
      case 0, 1, 2, 3 -> clock.jump(dice.between(-2_000L, 2_000L));
      case 4, 5 -> clock.jump(dice.between(-MINUTE, MINUTE));
      case 6 -> clock.jump(dice.between(-HOUR, HOUR / 4));
      case 7 -> clock.drift(dice.between(-50_000L, 50_000L));
      default -> clock.correct();
    }
  }

  private void crashClient() {
    if (seats.isEmpty()) {
      return;
    }
    Seat seat = victim();
    boolean dies = seat.kind() == ClientKind.REGISTERED || dice.perMille(700);
    if (dies) {
      seat.crashAtHome();
      seat.crashElsewhere();
    }
    boolean elsewhere = seat.kind() != ClientKind.REGISTERED && dice.perMille(dies ? 200 : 1_000);
    long downMillis = dice.perMille(300) ? dice.between(1, 30_000) : dice.between(1, 2_000);
    world.time().after(downMillis, elsewhere ? seat::startElsewhere : seat::startAtHome);
    if (!elsewhere && dice.perMille(300)) {
      // Dies again before it is quite there.
      long againMillis = downMillis + dice.between(5, 100);
      world.time().after(againMillis, seat::crashAtHome);
      world.time().after(againMillis + dice.between(1, 1_000), seat::startAtHome);
    }
  }

  /** Often one with a journal: what that is good for shows only then. */
  private Seat victim() {
    List<Seat> journaled = seats.stream().filter(Seat::hasJournal).toList();
    return journaled.isEmpty() || dice.perMille(500) ? dice.pick(seats) : dice.pick(journaled);
  }

  /** Time passes and no client does anything: hours without a cluster, or with an idle one. */
  private void skip() {
    if (world.resting() || world.finishing()) {
      return;
    }
    if (dice.perMille(350)) {
      outage();
    } else {
      idle();
    }
  }

  private void outage() {
    long millis = dice.between(HOUR / 2, 30 * HOUR);
    world.rest(millis, true);
    someClientsDie(millis);
    for (int number = 0; number < world.nodes(); number++) {
      Node node = world.node(number);
      if (node.isUp()) {
        node.crash();
      }
      world.time().after(millis + dice.between(1, 2_000), () -> startIfDown(node));
    }
  }

  /** Some processes do not live to see the end of it; their journals do. */
  private void someClientsDie(long millis) {
    for (Seat seat : seats) {
      if (dice.perMille(300)) {
        seat.crashAtHome();
        world.time().after(millis + dice.between(1, 3_000), seat::startAtHome);
      }
    }
  }

  private static void startIfDown(Node node) {
    if (!node.isUp()) {
      node.start();
    }
  }

  /** Few ticks make much age when the keep-alive interval is long. */
  private void idle() {
    long intervalMillis = dice.between(MINUTE / 2, 10 * MINUTE);
    world.administrator().set(Parameter.KEEP_ALIVE_MILLIS, intervalMillis);
    long millis = dice.between(2 * MINUTE, 50 * MINUTE);
    world
        .time()
        .after(
            1_500,
            () -> {
              if (!world.resting() && !world.finishing()) {
                world.rest(millis, false);
                someClientsDie(millis);
                afterRest(millis);
                if (nights.perMille(500)) {
                  // The next tick by the long interval is minutes away, perhaps, and nobody else
                  // logs anything.
                  long lastMillis = nights.between(10_000L, MINUTE);
                  world.time().after(millis - lastMillis, world.administrator()::worksAtNight);
                }
              }
            });
  }

  /** What administrators do when they come back to work. */
  private void afterRest(long millis) {
    Administrator administrator = world.administrator();
    administrator.set(Parameter.KEEP_ALIVE_MILLIS, world.scenario().keepAliveMillis());
    if (dice.perMille(200)) {
      long olderThanMillis = dice.between(10, 20) * MINUTE;
      world.time().after(millis + 1_000, () -> administrator.forgetsByAge(olderThanMillis));
    } else if (dice.perMille(300)) {
      long nowMillis = NodeClock.EPOCH_MILLIS + world.time().nowMillis() + millis;
      administrator.wants(new Request.Forget(nowMillis - dice.between(10, 20) * MINUTE));
    }
  }

  /** All faults end, and whoever was gone comes back. */
  void heal() {
    world.network().unite();
    world.network().weather(Network.Weather.CALM);
    for (int number = 0; number < world.nodes(); number++) {
      world.node(number).clock.correct();
      startIfDown(world.node(number));
    }
    seats.forEach(Seat::startAtHome);
    world.administrator().dropsWhatWaits();
    makeRoom();
    // Settings have no ids: a late copy of an earlier one may undo what was just set.
    world.time().after(MINUTE / 12, this::makeRoom);
  }

  private void makeRoom() {
    Administrator administrator = world.administrator();
    for (Parameter parameter :
        List.of(
            Parameter.KEEP_ALIVE_MILLIS,
            Parameter.MAX_TABLE_BYTES,
            Parameter.MAX_PRINCIPAL_BYTES,
            Parameter.MAX_SESSIONS_PER_PRINCIPAL,
            Parameter.MAX_COMMAND_BYTES,
            Parameter.MAX_SERVICE_BYTES)) {
      administrator.set(parameter, parameter.initial());
    }
  }
}
