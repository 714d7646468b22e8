package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Scenario.Habits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client without a session: every request has a key of some kind. It retries under the same key,
 * acknowledges replies that it has taken, abandons, asks, and comes back to keys of long ago.
 */
final class KeyClient extends Caller {
  private static final class Keyed {
    final Wish wish;
    final Scope scope;
    final Key key;
    final Bytes payload;
    final @Nullable Fingerprint fingerprint;
    boolean abandoning;
    int refusedAsFuture;
    long sentMillis = Long.MIN_VALUE / 2;

    Keyed(Wish wish, Scope scope, Key key, Bytes payload, @Nullable Fingerprint fingerprint) {
      this.wish = wish;
      this.scope = scope;
      this.key = key;
      this.payload = payload;
      this.fingerprint = fingerprint;
    }
  }

  private static final int MOST_ACKNOWLEDGED = 5;
  private static final int MOST_OLD = 64;
  private static final long LONG_MILLIS = 60_000;
  private static final long COMING_BACK_MILLIS = 6_000;
  private static final int PATIENCE_WITH_THE_FUTURE = 20;

  private final Habits habits;
  private final long clockOffsetMillis;
  private final List<Keyed> pending = new ArrayList<>();
  private final List<Keyed> old = new ArrayList<>();
  private final List<Keyed> taken = new ArrayList<>();
  private final ArrayDeque<Wish> again = new ArrayDeque<>();
  private long beatMillis;
  private long cameBackMillis = Long.MIN_VALUE / 2;
  private int named;

  KeyClient(World world, String principal) {
    super(world, principal);
    this.habits = world.scenario().habits();
    if (dice.perMille(habits.futurePerMille())) {
      clockOffsetMillis = dice.between(1_000L, 700_000L);
    } else if (dice.perMille(200)) {
      clockOffsetMillis = -dice.between(0L, 1_500_000L);
    } else {
      clockOffsetMillis = dice.between(-2_000L, 1_000L);
    }
  }

  @Override
  void beat() {
    long now = world.time().nowMillis();
    if (dice.perMille(100)) {
      lookElsewhere();
    }
    if (now - beatMillis > LONG_MILLIS) {
      cameBackMillis = now;
    }
    beatMillis = now;
    if (now - cameBackMillis < COMING_BACK_MILLIS && dice.perMille(250)) {
      comeBackToOldKeys();
    }
    for (Keyed keyed : pending) {
      if (now - keyed.sentMillis >= habits.beatMillis()) {
        send(keyed);
      }
    }
    if (world.finishing()) {
      return;
    }
    for (int i = 0; i < 3 && wishes(); i++) {
      Keyed keyed = keyed(again.isEmpty() ? newWish() : again.remove());
      pending.add(keyed);
      send(keyed);
    }
    oddities();
  }

  private boolean wishes() {
    return pending.size() < habits.pipeline()
        && (!again.isEmpty() || dice.perMille(habits.wishPerMille()));
  }

  /** After a long time without a beat: what was asked before may be forgotten by now. */
  private void comeBackToOldKeys() {
    for (int i = 0; i < MOST_ACKNOWLEDGED && !old.isEmpty(); i++) {
      Keyed keyed = dice.pick(old);
      if (dice.perMille(300)) {
        send(new Request.AbandonKey(keyed.scope, keyed.key));
      } else {
        send(request(keyed, List.of()));
      }
    }
  }

  private void oddities() {
    if (!pending.isEmpty() && dice.perMille(habits.abandonPerMille())) {
      dice.pick(pending).abandoning = true;
    }
    if (dice.perMille(habits.abandonPerMille())) {
      // Gives up on something that was never sent; copies of it may still come.
      Keyed unseen = keyed(newWish());
      unseen.abandoning = true;
      pending.add(unseen);
      send(unseen);
    }
    if (!old.isEmpty()) {
      if (dice.perMille(habits.askPerMille())) {
        Keyed keyed = dice.pick(old);
        ask(new Id.Keyed(keyed.scope.name(), keyed.key), null);
      }
      if (dice.perMille(habits.replayPerMille())) {
        send(request(dice.pick(old), List.of()));
      }
    }
    if (!taken.isEmpty() && dice.perMille(habits.acknowledgePerMille() / 4)) {
      Scope scope = taken.get(0).scope;
      send(new Request.Acknowledge(scope, takeAcknowledged(scope, null)));
    }
  }

  private Keyed keyed(Wish wish) {
    Bytes payload = payload(wish);
    Scope scope = world.scope(dice.below(World.SCOPES));
    return new Keyed(wish, scope, key(wish), payload, fingerprint(payload));
  }

  private Key key(Wish wish) {
    long clock = NodeClock.EPOCH_MILLIS + world.time().nowMillis() + clockOffsetMillis;
    return switch (dice.below(8)) {
      case 0, 1, 2 -> Key.dated(clock * 1_000 + dice.below(1_000), dice.next());
      case 3, 4 ->
          Key.uuid(
              new UUID(
                  clock << 16 | 0x7000 | dice.below(1 << 12), Long.MIN_VALUE | dice.next() >>> 2));
      case 5 ->
          Key.uuid(new UUID(dice.next() & ~0xF000L | 0x4000, Long.MIN_VALUE | dice.next() >>> 2));
      case 6 -> Key.contentHash(ByteBuffer.allocate(Long.BYTES).putLong(wish.number()).array());
      default -> Key.text("order " + named++);
    };
  }

  private void send(Keyed keyed) {
    keyed.sentMillis = world.time().nowMillis();
    if (keyed.abandoning) {
      send(new Request.AbandonKey(keyed.scope, keyed.key));
      return;
    }
    boolean acknowledges = dice.perMille(habits.acknowledgePerMille());
    send(request(keyed, acknowledges ? takeAcknowledged(keyed.scope, keyed.key) : List.of()));
  }

  private static Request request(Keyed keyed, List<Key> acknowledged) {
    return new Request.Keyed(
        keyed.scope, keyed.key, keyed.fingerprint, acknowledged, keyed.payload);
  }

  private List<Key> takeAcknowledged(Scope scope, @Nullable Key own) {
    List<Key> keys = new ArrayList<>();
    for (int i = taken.size() - 1; i >= 0 && keys.size() < MOST_ACKNOWLEDGED; i--) {
      Keyed candidate = taken.get(i);
      if (candidate.scope.equals(scope) && !candidate.key.equals(own)) {
        keys.add(candidate.key);
        taken.remove(i);
      }
    }
    return keys;
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {
    Keyed keyed = null;
    if (request instanceof Request.Keyed ask) {
      keyed = find(ask.scope(), ask.key());
    } else if (request instanceof Request.AbandonKey ask) {
      keyed = find(ask.scope(), ask.key());
    }
    if (keyed == null) {
      return;
    }
    if (decision instanceof Decision.Replied) {
      done(keyed);
      taken.add(keyed);
    } else if (decision instanceof Decision.Abandoned) {
      never(keyed);
    } else if (decision instanceof Decision.Refused refused) {
      switch (refused.refusal()) {
        case MISMATCH, ABANDONED -> {
          if (refused.executed() == Refusal.Executed.NEVER) {
            never(keyed);
          } else {
            done(keyed);
          }
        }
        case FROM_THE_FUTURE -> {
          if (++keyed.refusedAsFuture > PATIENCE_WITH_THE_FUTURE) {
            done(keyed);
          }
        }
        case OVERLOADED -> {
          // Not a decision: the same key is sent again.
        }
        case ACKNOWLEDGED,
            FORGOTTEN,
            UNDATED,
            TOO_LARGE,
            MALFORMED,
            WINDOW_EXCEEDED,
            BAD_WATERMARK,
            OUT_OF_ORDER,
            SUPERSEDED,
            NO_SESSION ->
            done(keyed);
      }
    }
  }

  private @Nullable Keyed find(Scope scope, Key key) {
    for (Keyed keyed : pending) {
      if (keyed.scope.equals(scope) && keyed.key.equals(key)) {
        return keyed;
      }
    }
    return null;
  }

  private void done(Keyed keyed) {
    pending.remove(keyed);
    if (old.size() < MOST_OLD) {
      old.add(keyed);
    } else {
      old.set(dice.below(MOST_OLD), keyed);
    }
  }

  private void never(Keyed keyed) {
    done(keyed);
    if (keyed.payload.length() < 100) {
      again.add(keyed.wish);
    }
  }

  @Override
  List<String> undecided() {
    List<String> undecided = new ArrayList<>();
    for (Keyed keyed : pending) {
      undecided.add("keyed " + keyed.key + " in " + keyed.scope + ", wish " + keyed.wish.number());
    }
    return undecided;
  }
}
