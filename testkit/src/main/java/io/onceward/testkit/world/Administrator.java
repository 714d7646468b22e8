package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets what apply reads, one logged command after the other, and sends each until it is decided:
 * parameters, scopes, forgetting, other names of principals.
 */
final class Administrator extends Caller {
  private static final long MINUTE = 60_000;
  private static final int BEATS_BETWEEN_COPIES = 8;

  private final ArrayDeque<Request> due = new ArrayDeque<>();
  private int aliases;
  private int patience;

  Administrator(World world) {
    super(world, "administrator");
  }

  void wants(Request command) {
    due.add(command);
  }

  void set(Parameter parameter, long value) {
    wants(new Request.SetParameter(parameter, value));
  }

  /** What it has not sent yet is not wanted any more: there is something urgent to do. */
  void dropsWhatWaits() {
    Request first = due.peek();
    due.clear();
    if (first != null) {
      due.add(first);
    }
  }

  /** Forgets by age, counted back from what the nodes' status says (K4). */
  void forgetsByAge(long olderThanMillis) {
    wants(new Request.ForgetByAge(world.ageMillis() - olderThanMillis));
  }

  /** Some command that administrators give. */
  void wantsSomething() {
    long now = NodeClock.EPOCH_MILLIS + world.time().nowMillis();
    switch (dice.below(15)) {
      case 0 -> wants(new Request.Forget(now - dice.between(5 * MINUTE, 60 * MINUTE)));
      case 1 -> forgetsByAge(dice.between(5 * MINUTE, 60 * MINUTE));
      case 2, 3 ->
          wants(
              new Request.SetScope(
                  world.scope(dice.below(World.SCOPES)),
                  dice.perMille(250) ? dice.below(3) / 2 : dice.between(1L, 9L) * 10 * MINUTE,
                  dice.perMille(400)));
      case 4 -> {
        String principal = world.principal(dice.below(world.principals()));
        String name = dice.perMille(800) ? "also " + principal + " " + aliases++ : principal;
        wants(new Request.Alias(name, principal));
      }
      case 5 -> {
        if (dice.perMille(250)) {
          world.engine().formAnew();
        }
      }
      case 6 -> set(Parameter.RETENTION_MILLIS, dice.between(1L, 6L) * 10 * MINUTE);
      case 7 -> set(Parameter.SESSION_EXPIRY_MILLIS, dice.between(1_000L, 20_000L));
      case 8 -> set(Parameter.DURABLE_EXPIRY_MILLIS, dice.between(1_000L, 60_000L));
      case 9 -> set(Parameter.KEEP_ALIVE_MILLIS, dice.between(100L, 4_000L));
      case 10 -> set(Parameter.MAX_TABLE_BYTES, dice.between(1L << 16, 1L << 19));
      case 11 -> set(Parameter.MAX_PRINCIPAL_BYTES, dice.between(1L << 12, 1L << 17));
      case 12 -> set(Parameter.MAX_REPLY_BYTES, dice.between(0L, 400L));
      case 13 -> set(Parameter.MAX_SERVICE_BYTES, dice.between(1L << 16, 1L << 18));
      default -> {
        Parameter[] all = Parameter.values();
        Parameter odd = all[dice.below(all.length)];
        set(odd, dice.perMille(500) ? odd.least() - 1 : odd.most() + 1);
      }
    }
  }

  /**
   * Sends what is due, and again now and then. Settings are not coalesced: sent with every beat,
   * they alone would be more than a narrow door lets in.
   */
  @Override
  void beat() {
    Request first = due.peek();
    if (first != null && patience-- <= 0) {
      if (dice.perMille(200)) {
        lookElsewhere();
      }
      patience = BEATS_BETWEEN_COPIES;
      send(first);
    }
  }

  /** Works while all others rest, until everything that is due is done. */
  void worksAtNight() {
    if (world.resting() && !world.outage() && !due.isEmpty()) {
      beat();
      world.time().after(world.scenario().habits().beatMillis(), this::worksAtNight);
    }
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {
    if (isBusy(decision)) {
      return;
    }
    if (request.equals(due.peek())) {
      due.remove();
      patience = 0;
      if (request instanceof Request.Alias alias && decision instanceof Decision.Done) {
        world.learnAlias(alias.name(), alias.principal());
      }
    }
  }

  /** The door had no room for this copy, which decides nothing: the next one may get in (C1). */
  private static boolean isBusy(Decision decision) {
    return decision instanceof Decision.Refused refused
        && refused.refusal() == Refusal.OVERLOADED
        && refused.limit().contains("in flight");
  }

  @Override
  List<String> undecided() {
    @Nullable Request first = due.peek();
    return first == null ? List.of() : List.of("the administrator waits for " + first);
  }
}
