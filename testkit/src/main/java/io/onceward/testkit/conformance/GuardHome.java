package io.onceward.testkit.conformance;

import io.onceward.Fingerprint;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The guard on any store; its effects are outside, so nothing undoes them. */
public final class GuardHome implements Home {
  private final Map<String, Integer> effects = new ConcurrentHashMap<>();
  private final ClaimStore store;
  private final Guard guard;

  /** The store is closed with this home. */
  public GuardHome(ClaimStore store) {
    this.store = store;
    this.guard =
        Guard.on(store)
            .classify(
                thrown ->
                    thrown instanceof Wish.NothingHappened
                        ? Meaning.DID_NOT_HAPPEN
                        : Meaning.UNKNOWN)
            .build();
  }

  @Override
  public String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish) {
    return Words.ruling(
        guard.decide(
            new Ask(id, fingerprint, "wish"),
            run -> {
              Wish wished = Wish.of(wish);
              if (wished.takesEffect()) {
                effects.merge(wish, 1, Integer::sum);
              }
              return wished.reply();
            }));
  }

  @Override
  public String outcome(GuardedId id) {
    return Words.outcome(guard.outcome(id));
  }

  @Override
  public String abandon(GuardedId id) {
    return Words.abandoned(guard.abandon(id));
  }

  @Override
  public String acknowledge(GuardedId id) {
    guard.acknowledge(id);
    return "done";
  }

  @Override
  public int effects(String wish) {
    return effects.getOrDefault(wish, 0);
  }

  @Override
  public void close() {
    guard.close();
    store.close();
  }
}
