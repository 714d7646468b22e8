package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Told;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.world.Ask.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process that asks: it looks for the leader, sends copies, and hears answers, late and double
 * ones too. When it dies it hears nothing more, but what it sent stays under way.
 */
abstract class Caller {
  final World world;
  final Dice dice;
  private final int endpoint;
  private final String principal;
  private final Map<Long, Ask.Copy> asked = new HashMap<>();
  private final Map<Long, Ask.OutcomeQuery> queried = new HashMap<>();
  private long tickets;
  private int target;
  private boolean alive = true;

  Caller(World world, String principal) {
    this.world = world;
    this.principal = principal;
    this.endpoint = world.enter(this);
    this.dice = world.dice("caller " + endpoint);
    this.target = dice.below(world.nodes());
  }

  int endpoint() {
    return endpoint;
  }

  void begin() {
    beatLater(dice.between(1, world.scenario().habits().beatMillis()));
  }

  private void beatLater(long delayMillis) {
    long wait = Math.max(delayMillis, world.restMillis());
    world
        .time()
        .after(
            wait,
            () -> {
              if (alive) {
                if (!world.resting()) {
                  beat();
                }
                beatLater(world.scenario().habits().beatMillis());
              }
            });
  }

  void die() {
    alive = false;
  }

  boolean isAlive() {
    return alive;
  }

  /** Looks after what is to be done; called again and again. */
  abstract void beat();

  /** The log decided one of this caller's requests. Copies are answered more than once. */
  abstract void decided(Request request, Decision decision, long clusterTag);

  void told(Answer.SessionTold answer) {}

  /** What this caller still wants to hear of. */
  abstract List<String> undecided();

  /** The principal's name, or another name that means the same (L3). */
  String principal() {
    return dice.perMille(300) ? world.aliasOf(principal) : principal;
  }

  void send(Request request) {
    Ask.Copy copy = Ask.Copy.of(endpoint, ++tickets, principal(), request);
    asked.put(copy.ticket(), copy);
    world.overheard(copy);
    send(copy);
  }

  void send(Ask.Copy copy) {
    world.trace().note("send", endpoint, copy.ticket(), copy.request());
    toDoor(door -> door.ask(copy));
  }

  void ask(Id id, Request.@Nullable Address address) {
    Ask.OutcomeQuery query =
        new Ask.OutcomeQuery(
            endpoint, ++tickets, principal(), id, address, world.answeredPosition());
    queried.put(query.ticket(), query);
    toDoor(door -> door.ask(query));
  }

  void askSession(ClientKind kind, String name) {
    Ask.SessionQuery query = new Ask.SessionQuery(endpoint, ++tickets, principal(), kind, name);
    toDoor(door -> door.ask(query));
  }

  private void toDoor(Consumer<Door> message) {
    Node to = target();
    world
        .network()
        .send(
            endpoint,
            to.number,
            () -> {
              Door door = to.door();
              if (door != null) {
                message.accept(door);
              }
            });
  }

  private Node target() {
    if (dice.perMille(50)) {
      target = dice.below(world.nodes());
    }
    return world.node(target);
  }

  /** No answer for too long: perhaps somebody else leads. */
  void lookElsewhere() {
    target = dice.below(world.nodes());
  }

  void hear(long ticket, Answer answer) {
    if (!alive) {
      return;
    }
    if (answer instanceof Answer.NotLeader told) {
      target = told.leader() >= 0 ? told.leader() : dice.below(world.nodes());
    } else if (answer instanceof Answer.Decided told) {
      Ask.Copy copy = asked.get(ticket);
      if (copy != null) {
        world.answered(copy, told);
        decided(copy.request(), told.decision(), told.clusterTag());
      }
    } else if (answer instanceof Answer.OutcomeTold told) {
      Ask.OutcomeQuery query = queried.remove(ticket);
      if (query != null) {
        world.told(
            new Told(
                query.principal(),
                query.id(),
                query.address(),
                told.outcome(),
                query.askedAtPosition(),
                told.servedAtPosition()));
      }
    } else if (answer instanceof Answer.SessionTold told) {
      told(told);
    }
  }

  /** A new wish, mostly harmless. */
  Wish newWish() {
    long number = world.nextWish();
    if (!dice.perMille(world.scenario().habits().oddDeedPerMille())) {
      return new Wish(
          number, Wish.Deed.COUNT, dice.between(16, world.scenario().habits().mostReplyBytes()));
    }
    return switch (dice.below(world.scenario().faults().poison() ? 10 : 9)) {
      case 0, 1 -> new Wish(number, Wish.Deed.DECLINE, dice.between(16, 64));
      case 2, 3 -> new Wish(number, Wish.Deed.FAIL, 0);
      case 4, 5 -> new Wish(number, Wish.Deed.COUNT, dice.between(100, 400));
      case 6, 7, 8 -> new Wish(number, Wish.Deed.REGISTER, dice.below(WishService.NAMES));
      default -> new Wish(number, Wish.Deed.POISON, 0);
    };
  }

  Bytes payload(Wish wish) {
    return wish.payload(dice.perMille(20) ? 120 : dice.between(16, 30));
  }

  @Nullable Fingerprint fingerprint(Bytes payload) {
    return dice.perMille(world.scenario().habits().fingerprintPerMille())
        ? World.fingerprintOf(payload)
        : null;
  }
}
