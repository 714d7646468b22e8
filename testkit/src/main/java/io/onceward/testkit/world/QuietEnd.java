package io.onceward.testkit.world;

import io.onceward.client.session.ClientSession;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Idled;
import io.onceward.wire.Timing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The last act of each run. All is well, everything is decided, and nobody wants anything. An
 * administrator lets clients speak once a minute and then, when that is what they do, makes
 * keep-alive and expiry so short that one who still speaks once a minute is forgotten.
 *
 * <p>It is about clients whose stream leads to a living node. One that sits on a dead stream hears
 * nothing, and may lose its session.
 *
 * <p>Why no session may be lost then: the shorter expiry counts from when it was set. A change
 * reaches a client in the time of a message, here some milliseconds; the client speaks within a
 * third of the expiry, and is heard within one interval, which is less than another third.
 */
final class QuietEnd {
  private static final long MINUTE = 60_000;

  /** Until copies of settings from before have gone by, and whoever lost a session has another. */
  private static final long SETTLING_MILLIS = 8_000;

  private static final long LONGEST_SETTING_MILLIS = MINUTE;
  private static final long STEP_MILLIS = 50;

  private final World world;
  private final List<Caller> callers;
  private final Dice dice;

  QuietEnd(World world, List<Caller> callers, Dice dice) {
    this.world = world;
    this.callers = callers;
    this.dice = dice;
  }

  /**
   * Plays it.
   *
   * @param runFor lets time pass
   */
  void play(LongConsumer runFor) {
    world.engine().calm();
    runFor.accept(SETTLING_MILLIS);
    Timing before = new Timing(MINUTE, 10 * MINUTE, 10 * MINUTE);
    if (!set(before, runFor)) {
      return;
    }
    runFor.accept(SETTLING_MILLIS);
    Map<SessionClient, Request.Address> idle = idle();
    runFor.accept(dice.between(0L, 2 * MINUTE));
    long keepAlive = dice.between(Parameter.KEEP_ALIVE_MILLIS.least(), 1_000L);
    Timing after = new Timing(keepAlive, expiry(keepAlive), expiry(keepAlive));
    if (!set(after, runFor)) {
      return;
    }
    runFor.accept(4 * Math.max(after.sessionExpiryMillis(), after.durableExpiryMillis()));
    // A crash that was planned long ago may have come only now.
    idle.keySet().removeIf(client -> !client.isAlive());
    idle.forEach(
        (client, address) -> {
          world.trace().note("idled", client.endpoint(), address.session(), null);
          world
              .auditor()
              .idled(new Idled(client.client(), address, before, after, isKnown(address)));
        });
    boolean unused = set(Timing.INITIAL, runFor);
  }

  /** At least three intervals, and long enough for a message that has to be sent again. */
  private long expiry(long keepAliveMillis) {
    return Math.max(2_000, dice.between(4, 8) * keepAliveMillis);
  }

  /** The interval first: until it is shorter, no keep-alive is logged in time. */
  private boolean set(Timing timing, LongConsumer runFor) {
    Administrator administrator = world.administrator();
    administrator.set(Parameter.KEEP_ALIVE_MILLIS, timing.keepAliveMillis());
    administrator.set(Parameter.SESSION_EXPIRY_MILLIS, timing.sessionExpiryMillis());
    administrator.set(Parameter.DURABLE_EXPIRY_MILLIS, timing.durableExpiryMillis());
    long untilMillis = world.time().nowMillis() + LONGEST_SETTING_MILLIS;
    while (!administrator.undecided().isEmpty() && world.time().nowMillis() < untilMillis) {
      runFor.accept(STEP_MILLIS);
    }
    return administrator.undecided().isEmpty();
  }

  /** The sessions that clients and cluster agree on. */
  private Map<SessionClient, Request.Address> idle() {
    Map<SessionClient, Request.Address> idle = new LinkedHashMap<>();
    for (Caller caller : callers) {
      ClientSession session = caller instanceof SessionClient client ? client.idleSession() : null;
      Request.Address address = session == null ? null : session.address();
      if (address != null && isKnown(address)) {
        idle.put((SessionClient) caller, address);
      }
    }
    return idle;
  }

  /** Whether the leader has the session, whoever speaks for it now. */
  private boolean isKnown(Request.Address address) {
    Node leader = leader();
    if (leader == null || address.clusterTag() != leader.machine().clusterId().tag()) {
      return false;
    }
    for (SessionView session : leader.machine().sessions()) {
      if (session.session() == address.session()) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Node leader() {
    Node latest = null;
    for (int number = 0; number < world.nodes(); number++) {
      Node node = world.node(number);
      boolean newer = latest == null || node.disk.term() > latest.disk.term();
      latest = node.leadership() != null && newer ? node : latest;
    }
    return latest;
  }
}
