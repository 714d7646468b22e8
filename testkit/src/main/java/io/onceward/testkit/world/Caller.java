package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Told;
import io.onceward.testkit.audit.Id;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One process that asks: it looks for the leader, sends copies, and hears answers, late and double
 * ones too. When it dies it hears nothing more, but what it sent stays under way.
 */
abstract class Caller {
  /**
   * A question about what became of a request (O1).
   *
   * @param address of the session that it belongs to; null for keys
   */
  private record Query(
      String principal, Id id, Request.@Nullable Address address, long askedAtPosition) {}

  final World world;
  final Dice dice;
  private final int endpoint;
  private final String principal;
  private final Map<Long, Ask.Copy> asked = new HashMap<>();
  private final Map<Long, Query> queried = new HashMap<>();
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

  long nextTicket() {
    return ++tickets;
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

  /** Who has a name now. */
  void told(Answer.SessionTold answer) {}

  /** What this caller still wants to hear of. */
  abstract List<String> undecided();

  /** The principal's name, or another name that means the same (L3). */
  String principal() {
    return dice.perMille(300) ? world.aliasOf(principal) : principal;
  }

  void send(Request request) {
    Ask.Copy copy = Ask.Copy.of(endpoint, nextTicket(), principal(), request);
    asked.put(copy.ticket(), copy);
    world.overheard(copy);
    send(copy);
  }

  void send(Ask.Copy copy) {
    world.trace().note("send", endpoint, copy.ticket(), copy.request());
    toDoor(copy.principal(), copy.ticket(), new Question.Logged(copy.frame()));
  }

  void ask(Id id, Request.@Nullable Address address) {
    Query query = new Query(principal(), id, address, world.answeredPosition());
    queried.put(++tickets, query);
    if (id instanceof Id.InSession asked && address != null) {
      toDoor(query.principal(), tickets, new Question.OutcomeOfSequence(address, asked.sequence()));
    } else if (id instanceof Id.Keyed asked) {
      toDoor(
          query.principal(),
          tickets,
          new Question.OutcomeOfKey(new Scope(asked.scope()), asked.key()));
    }
  }

  void askSession(ClientKind kind, String name) {
    toDoor(principal(), ++tickets, new Question.SessionNamed(kind, name));
  }

  private void toDoor(String as, long ticket, Question question) {
    Node to = target();
    world
        .network()
        .send(
            endpoint,
            to.number,
            () -> {
              if (to.isUp()) {
                to.doorstep().arrive(endpoint, 0, as, ticket, question);
              }
            });
  }

  private Node target() {
    if (dice.perMille(50)) {
      target = dice.below(world.nodes());
    }
    return world.node(target);
  }

  /** This node leads, as far as is known. */
  void target(int node) {
    target = node;
  }

  /** No answer for too long: perhaps somebody else leads. */
  void lookElsewhere() {
    target = dice.below(world.nodes());
  }

  void hear(int connection, long ticket, Heard heard) {
    if (!alive) {
      return;
    }
    Answer answer = heard.answer();
    if (answer instanceof Answer.NotLeader told) {
      target = told.leader().isEmpty() ? dice.below(world.nodes()) : world.nodeAt(told.leader());
    } else if (answer instanceof Answer.Decided told) {
      Ask.Copy copy = asked.get(ticket);
      if (copy != null) {
        world.answered(copy, told, heard.decidedPosition());
        decided(copy.request(), told.decision(), told.clusterTag());
      }
    } else if (answer instanceof Answer.OutcomeTold told) {
      Query query = queried.remove(ticket);
      if (query != null) {
        world.told(
            new Told(
                query.principal(),
                query.id(),
                query.address(),
                told.outcome(),
                query.askedAtPosition(),
                heard.servedPosition()));
      }
    } else if (answer instanceof Answer.SessionTold told) {
      told(told);
    }
  }

  /** A node tells what it expects of idle clients. */
  void timing(int connection, Timing timing) {}

  /** A new wish, mostly harmless. */
  Wish newWish() {
    long number = world.nextWish();
    if (!dice.perMille(world.scenario().habits().oddDeedPerMille())) {
      return new Wish(
          number, Wish.Deed.COUNT, dice.between(16, world.scenario().habits().mostReplyBytes()));
    }
    return switch (dice.below(world.scenario().faults().poison() ? 14 : 13)) {
      case 0, 1 -> new Wish(number, Wish.Deed.DECLINE, dice.between(16, 64));
      case 2, 3 -> new Wish(number, Wish.Deed.FAIL, 0);
      case 4, 5 -> new Wish(number, Wish.Deed.COUNT, dice.between(100, 400));
      case 6, 7, 8 -> new Wish(number, Wish.Deed.REGISTER, dice.below(WishService.NAMES));
      case 9, 10, 11 -> new Wish(number, Wish.Deed.KEEP, dice.between(1, 20_000));
      case 12 -> new Wish(number, Wish.Deed.DROP, 0);
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
