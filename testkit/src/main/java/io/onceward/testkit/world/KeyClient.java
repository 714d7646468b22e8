package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.client.session.ClientKeys;
import io.onceward.client.session.KeyActions;
import io.onceward.client.session.KeyRequest;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.KeySubmitted;
import io.onceward.testkit.audit.ClientEvents.KeyTaken;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Scenario.Habits;
import io.onceward.wire.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A program that uses the library without a session: every request has a key of some kind. It takes
 * replies, gives up waiting, abandons, asks, and comes back to keys of long ago.
 */
final class KeyClient extends LibraryProcess implements KeyActions {
  /** What was asked under a key, by the program's own account. */
  private record Asked(
      Wish wish, Scope scope, Key key, Bytes payload, @Nullable Fingerprint fingerprint) {}

  private static final int MOST_OLD = 64;
  private static final int MOST_OLD_PER_BEAT = 5;
  private static final long LONG_MILLIS = 60_000;
  private static final long COMING_BACK_MILLIS = 6_000;
  private static final int LARGEST_ASKED_AGAIN = 100;

  private final String client;
  private final Habits habits;
  private final ClientKeys keys;
  private final long clockOffsetMillis;
  private final List<Asked> old = new ArrayList<>();
  private final List<Asked> untaken = new ArrayList<>();
  private final Set<Asked> never = new HashSet<>();
  private final List<KeyRequest> late = new ArrayList<>();
  private final ArrayDeque<Wish> again = new ArrayDeque<>();
  private long beatMillis;
  private long cameBackMillis = Long.MIN_VALUE / 2;
  private int named;

  KeyClient(World world, String principal) {
    super(world, principal);
    this.client = "keys of " + endpoint();
    this.habits = world.scenario().habits();
    this.keys = new ClientKeys(pace, library.around(this), dice.between(1, 2 * habits.pipeline()));
    if (dice.perMille(habits.futurePerMille())) {
      clockOffsetMillis = dice.between(1_000L, 700_000L);
    } else if (dice.perMille(200)) {
      clockOffsetMillis = -dice.between(0L, 1_500_000L);
    } else {
      clockOffsetMillis = dice.between(-2_000L, 1_000L);
    }
  }

  @Override
  String client() {
    return client;
  }

  // Asking.

  @Override
  void beat() {
    comeBack();
    takeReplies();
    late.removeIf(request -> request.isDecided() || doSomethingAbout(request));
    if (!world.finishing()) {
      for (int i = 0; i < 3 && wishes(); i++) {
        submit(asked(again.isEmpty() ? newWish() : again.remove()));
      }
      oddities();
    }
    wake();
  }

  private boolean wishes() {
    return keys.undecided().size() < habits.pipeline()
        && (!again.isEmpty() || dice.perMille(habits.wishPerMille()));
  }

  private void submit(Asked asked) {
    world
        .auditor()
        .keySubmitted(new KeySubmitted(client, asked.scope(), asked.key(), asked.wish().number()));
    long deadline =
        dice.perMille(habits.deadlinePerMille()) ? now() + dice.between(50, 3_000) : Long.MAX_VALUE;
    keys.submit(
        asked.scope(), asked.key(), asked.fingerprint(), asked.payload(), asked, deadline, now());
  }

  private void abandon(Asked asked) {
    world
        .auditor()
        .keySubmitted(new KeySubmitted(client, asked.scope(), asked.key(), asked.wish().number()));
    keys.abandon(asked.scope(), asked.key(), asked, Long.MAX_VALUE, now());
  }

  /** After a long time without a beat: what was asked before may be forgotten by now. */
  private void comeBack() {
    if (now() - beatMillis > LONG_MILLIS) {
      cameBackMillis = now();
    }
    beatMillis = now();
    if (now() - cameBackMillis < COMING_BACK_MILLIS && dice.perMille(250)) {
      for (int i = 0; i < MOST_OLD_PER_BEAT && !old.isEmpty(); i++) {
        Asked asked = dice.pick(old);
        send(dice.perMille(300) ? new Request.AbandonKey(asked.scope(), asked.key()) : copy(asked));
      }
    }
  }

  /** A copy past the library: it may have been under way all the time. */
  private static Request copy(Asked asked) {
    return new Request.Keyed(
        asked.scope(), asked.key(), asked.fingerprint(), List.of(), asked.payload());
  }

  /** A caller whose wait is over abandons, asks, or just lets it be (C2). */
  private boolean doSomethingAbout(KeyRequest request) {
    Asked asked = (Asked) request.attachment();
    if (asked != null && dice.perMille(300)) {
      abandon(asked);
    } else if (asked != null && dice.perMille(300)) {
      ask(new Id.Keyed(asked.scope().name(), asked.key()), null);
    }
    return true;
  }

  private void oddities() {
    if (dice.perMille(habits.abandonPerMille())) {
      List<KeyRequest> undecided = keys.undecided();
      if (!undecided.isEmpty() && dice.pick(undecided).attachment() instanceof Asked asked) {
        abandon(asked);
      }
    }
    if (dice.perMille(habits.abandonPerMille())) {
      // Gives up on something that was never sent; copies of it may still come.
      abandon(asked(newWish()));
    }
    if (!old.isEmpty()) {
      if (dice.perMille(habits.askPerMille())) {
        Asked asked = dice.pick(old);
        ask(new Id.Keyed(asked.scope().name(), asked.key()), null);
      }
      if (dice.perMille(habits.replayPerMille())) {
        send(copy(dice.pick(old)));
      }
    }
    if (dice.perMille(habits.replayPerMille())) {
      straggle();
    }
  }

  private void takeReplies() {
    for (Asked asked : List.copyOf(untaken)) {
      if (dice.perMille(habits.acknowledgePerMille())) {
        untaken.remove(asked);
        world.auditor().keyTaken(new KeyTaken(client, asked.scope(), asked.key()));
        keys.taken(asked.scope(), asked.key(), now());
      }
    }
  }

  private Asked asked(Wish wish) {
    Bytes payload = payload(wish);
    Scope scope = world.scope(dice.below(World.SCOPES));
    Key key = key(payload);
    // The same content is the same key, and must then be the same request.
    boolean says = key.kind() != Key.Kind.HASH;
    return new Asked(wish, scope, key, payload, says ? fingerprint(payload) : null);
  }

  private Key key(Bytes payload) {
    long clock = NodeClock.EPOCH_MILLIS + world.time().nowMillis() + clockOffsetMillis;
    return switch (dice.below(8)) {
      case 0, 1, 2 -> Key.dated(clock * 1_000 + dice.below(1_000), dice.next());
      case 3, 4 ->
          Key.uuid(
              new UUID(
                  clock << 16 | 0x7000 | dice.below(1 << 12), Long.MIN_VALUE | dice.next() >>> 2));
      case 5 ->
          Key.uuid(new UUID(dice.next() & ~0xF000L | 0x4000, Long.MIN_VALUE | dice.next() >>> 2));
      case 6 -> Key.contentHash(payload.toArray());
      default -> Key.text("order " + named++);
    };
  }

  // What the library does.

  @Override
  public void send(KeyRequest asked, int copy, Request request) {
    transmit(keys, asked, copy, false, request);
  }

  @Override
  public void decided(KeyRequest request, Decision decision) {
    world.trace().note("tell", endpoint(), Trace.hashOf(decision), decision);
    Asked asked = (Asked) request.attachment();
    if (asked == null) {
      return;
    }
    world
        .auditor()
        .keyTells(
            new KeyTells(
                client, principal(), asked.scope(), asked.key(), asked.wish().number(), decision));
    late.remove(request);
    remember(asked);
    if (decision instanceof Decision.Replied) {
      if (!untaken.contains(asked)) {
        untaken.add(asked);
      }
    } else if (isNever(decision)
        && asked.payload().length() < LARGEST_ASKED_AGAIN
        && never.add(asked)) {
      // Whoever abandons it and whoever asked for it are both told.
      again.add(asked.wish());
    }
  }

  private static boolean isNever(Decision decision) {
    return decision instanceof Decision.Abandoned
        || decision instanceof Decision.Refused refused
            && refused.executed() == Refusal.Executed.NEVER;
  }

  private void remember(Asked asked) {
    if (old.size() < MOST_OLD) {
      old.add(asked);
    } else {
      old.set(dice.below(MOST_OLD), asked);
    }
  }

  @Override
  public void rejected(KeyRequest request, String reason) {
    throw new IllegalStateException("nothing that is sent here is wrong, but " + reason);
  }

  @Override
  public void waitEnded(KeyRequest request) {
    world.trace().note("wait ended", endpoint(), 0, null);
    late.add(request);
  }

  @Override
  public void closed() {}

  @Override
  void answered(Sent copy, Answer answer, long nowMillis) {
    KeyRequest asked = (KeyRequest) copy.asked;
    Answer heard = library.heard(asked, copy.copy, answer);
    if (heard != null) {
      keys.answered(asked, copy.copy, heard, nowMillis);
    }
  }

  @Override
  void rerouted(long nowMillis) {
    keys.rerouted(nowMillis);
  }

  @Override
  void tick(long nowMillis) {
    keys.tick(nowMillis);
  }

  @Override
  long dueMillis() {
    return keys.wakeMillis();
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {}

  @Override
  List<String> undecided() {
    List<String> undecided = new ArrayList<>();
    for (KeyRequest request : keys.undecided()) {
      undecided.add("client " + endpoint() + " waits for " + request);
    }
    return undecided;
  }
}
