package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores of claims in a life of all that can happen to them: several principals, other names for
 * them, limits that come and go, leases that end, records that are dropped and forgotten. Whatever
 * happens, a run has a fence of its own, a reply is the one that was said, a dated key that was
 * done never runs again, and a replica that was restored from a snapshot goes on as one that was
 * not.
 */
class ClaimTrafficTest {
  private static final String[] NAMES = {"alice", "bob", "carol", "dave", "erin", "frank"};
  private static final String[] STORES = {"one", "two"};
  private static final Scope[] SCOPES = {Scope.NONE, new Scope("shop")};

  private record Place(String principal, String store, GuardedId id) {}

  private final ClusterId cluster = new ClusterId(7, 11);
  private final Map<Place, Long> lastFence = new LinkedHashMap<>();
  private final Map<Place, Reply> done = new HashMap<>();
  private final Map<String, String> meant = new HashMap<>();
  private final List<Decision> decisions = new ArrayList<>();
  private final Replica whole = new Replica(ServiceDirectory.shipped());
  private Replica other = new Replica(ServiceDirectory.shipped());
  private SplittableRandom random = new SplittableRandom();
  private long position;
  private long term = 1;
  private long stampMillis = 1_000_000_000;
  private int started;
  private int aliases;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyRunHasAFenceOfItsOwn(long seed) throws IOException {
    random = new SplittableRandom(seed);
    apply("admin", 0, new Request.FormCluster(cluster));
    apply("admin", cluster.tag(), new Request.EnableService(ServiceDirectory.CLAIMS));
    for (int i = 0; i < 6_000; i++) {
      stampMillis += random.nextInt(50) == 0 ? random.nextInt(30_000) : random.nextInt(40);
      term += random.nextInt(200) == 0 ? 1 : 0;
      step();
      if (random.nextInt(25) == 0) {
        assertThat(other.digest()).isEqualTo(whole.digest());
        assertThat(other.serviceBytes()).isEqualTo(whole.serviceBytes());
        other = restored(whole);
        assertThat(other.digest()).isEqualTo(whole.digest());
        assertThat(other.serviceBytes()).isEqualTo(whole.serviceBytes());
      }
    }
    assertThat(started).isGreaterThan(200);
    assertThat(aliases).isPositive();
  }

  private void step() {
    String name = NAMES[random.nextInt(NAMES.length)];
    int draw = random.nextInt(1_000);
    if (draw < 3) {
      alias(name, NAMES[random.nextInt(NAMES.length)]);
    } else if (draw < 10) {
      long bytes = random.nextBoolean() ? 1 << 20 : (1 << 16) + random.nextInt(1 << 18);
      apply("admin", cluster.tag(), new Request.SetParameter(Parameter.MAX_SERVICE_BYTES, bytes));
    } else {
      claims(name);
    }
  }

  /** Only a name that owns nothing can become another one. */
  private void giveUpAll(String name) {
    for (Map.Entry<Place, Long> run : lastFence.entrySet()) {
      Place place = run.getKey();
      if (place.principal().equals(resolve(name))) {
        say(name, new ClaimCommand.Release(place.store(), place.id(), run.getValue()));
      }
    }
    for (String store : STORES) {
      say(name, new ClaimCommand.ForgetByAge(store, Long.MAX_VALUE, 1_000));
      for (Scope scope : SCOPES) {
        say(name, new ClaimCommand.DatedOnly(store, scope, false));
      }
    }
  }

  private void alias(String name, String principal) {
    if (random.nextInt(3) > 0) {
      giveUpAll(name);
    }
    apply(name, cluster.tag(), new Request.Alias(name, principal));
    if (decisions.get(0) instanceof Decision.Done && !resolve(name).equals(resolve(principal))) {
      String former = resolve(name);
      String target = resolve(principal);
      for (String each : NAMES) {
        if (resolve(each).equals(former)) {
          meant.put(each, target);
        }
      }
      aliases++;
      for (Map.Entry<Place, Long> run : new ArrayList<>(lastFence.entrySet())) {
        Place place = run.getKey();
        if (place.principal().equals(former)) {
          Place moved = new Place(target, place.store(), place.id());
          Reply reply = done.get(place);
          if (lastFence.putIfAbsent(moved, run.getValue()) == null && reply != null) {
            done.put(moved, reply);
          }
        }
      }
    }
  }

  private String resolve(String name) {
    return meant.getOrDefault(name, name);
  }

  private void claims(String name) {
    GuardedId id = id();
    String store = STORES[random.nextInt(STORES.length)];
    Place place = new Place(resolve(name), store, id);
    long last = lastFence.getOrDefault(place, 0L);
    long fence = Math.max(1, last - (random.nextInt(6) == 0 ? 1 : 0));
    ClaimTerms terms = new ClaimTerms(1 + random.nextInt(3_000), 1 + random.nextInt(60_000));
    Reply reply = Reply.ok("r" + random.nextInt(4));
    Ask ask = new Ask(id, null, "op" + random.nextInt(3));
    ClaimCommand command =
        switch (random.nextInt(16)) {
          case 0, 1, 2, 3, 4, 5 -> new ClaimCommand.Claim(store, ask, terms);
          case 6, 7 -> new ClaimCommand.Done(store, id, fence, reply);
          case 8 -> new ClaimCommand.Rerun(store, ask, fence, terms);
          case 9 -> new ClaimCommand.Unknown(store, id, fence, "why");
          case 10 -> new ClaimCommand.Release(store, id, fence);
          case 11 -> new ClaimCommand.Sweep(store, 1 + random.nextInt(20));
          case 12 ->
              random.nextInt(4) == 0
                  ? new ClaimCommand.Forget(store, stampMillis - random.nextInt(10_000), 100)
                  : new ClaimCommand.ForgetByAge(
                      store, whole.ageMillis() - random.nextInt(10_000), 100);
          case 13 -> new ClaimCommand.Acknowledge(store, id);
          case 14 ->
              random.nextInt(3) == 0
                  ? new ClaimCommand.DatedOnly(store, id.scope(), random.nextBoolean())
                  : new ClaimCommand.Abandon(store, id, 1 + random.nextInt(60_000));
          default -> new ClaimCommand.Outcome(store, id);
        };
    say(name, command);
    if (decisions.get(0) instanceof Decision.Replied replied) {
      assertThat(replied.reply().kind()).isEqualTo(Reply.Kind.OK);
      learn(place, command, ClaimReply.decode(replied.reply().bytes()), last);
    }
  }

  private void say(String name, ClaimCommand command) {
    Bytes payload = ServiceDirectory.address(ServiceDirectory.CLAIMS, ClaimCommand.encode(command));
    apply(name, cluster.tag(), new Request.Unkeyed(payload));
  }

  private void learn(Place place, ClaimCommand command, ClaimReply reply, long last) {
    if (reply instanceof ClaimReply.Started run) {
      started++;
      assertThat(run.fence()).as("%s", command).isGreaterThan(last);
      lastFence.put(place, run.fence());
      Reply before = done.remove(place);
      assertThat(before != null && place.id().key().isDated()).as("%s again", place).isFalse();
    } else if (reply instanceof ClaimReply.Done told) {
      assertThat(told.reply()).isEqualTo(done.get(place));
    } else if (reply instanceof ClaimReply.Taken taken
        && taken.taken()
        && command instanceof ClaimCommand.Done said) {
      Reply before = done.putIfAbsent(place, said.reply());
      assertThat(before == null || before.equals(said.reply())).as("%s", command).isTrue();
    }
  }

  /** Few, so that commands meet, and new ones as time goes on. */
  private GuardedId id() {
    Scope scope = SCOPES[random.nextInt(SCOPES.length)];
    int number = random.nextInt(6);
    Key key =
        random.nextBoolean()
            ? Key.text("k" + number)
            : Key.dated((stampMillis / 20_000 * 20_000 + number * 5_000L) * 1_000, number);
    return new GuardedId("user" + random.nextInt(2), scope, key);
  }

  private void apply(String principal, long tag, Request request) {
    decisions.clear();
    byte[] entry =
        new LogEntry(tag, stampMillis, List.of(new LogEntry.Proposal(principal, request))).encode();
    whole.apply(++position, term, entry, (ordinal, decision) -> decisions.add(decision));
    other.apply(
        position,
        term,
        entry,
        (ordinal, decision) -> assertThat(decision).isEqualTo(decisions.get(ordinal)));
  }

  private static Replica restored(Replica replica) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    replica.freeze().writeTo(out);
    return Replica.restore(
        ServiceDirectory.shipped(), 3, new ByteArrayInputStream(out.toByteArray()));
  }
}
