package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import io.onceward.testkit.world.Dice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ClaimStore} passes: each sentence of its Javadoc, steps that meet, and random
 * steps beside a model. Extend it in the tests of a store:
 *
 * <pre>{@code
 * class MyStoreTest extends ClaimStoreContract {
 *   protected ClaimStore freshStore() { return new MyStore(emptyDatabase()); }
 *   protected void passTime(Duration atLeast) throws Exception { Thread.sleep(atLeast.toMillis()); }
 * }
 * }</pre>
 *
 * <p>A store whose clock is real waits; one whose clock can be set sets it. The store must not
 * sweep by itself while it is tested. A seed that fails is printed; {@code
 * -Donceward.store.seed=SEED} runs that one alone.
 */
public abstract class ClaimStoreContract extends ClaimStoreRaces {
  private static final String SEED = "onceward.store.seed";

  /** How many seeds are run beside the model. */
  protected int seeds() {
    return 10;
  }

  /** How many steps each of them takes. Every third or so lets a short while pass. */
  protected int steps() {
    return 60;
  }

  @Test
  public void randomStepsAnswerAsTheModelDoes() throws Exception {
    String only = System.getProperty(SEED);
    long first = only == null ? 1 : Long.parseLong(only);
    long last = only == null ? seeds() : first;
    for (long seed = first; seed <= last; seed++) {
      startOver();
      Walk walk = new Walk(seed);
      try {
        walk.go(steps());
      } catch (AssertionError | Exception e) {
        throw new AssertionError(
            "seed " + seed + " (-D" + SEED + "=" + seed + ") after\n" + walk.story(), e);
      }
    }
  }

  /** One seed's steps, taken by the store and the model alike. */
  private final class Walk {
    private static final long BASE_MICROS = 1_700_000_000_000_000L;

    private final Dice dice;
    private final StoreModel model = new StoreModel();
    private final List<GuardedId> ids = new ArrayList<>();
    private final List<String> story = new ArrayList<>();

    Walk(long seed) {
      dice = new Dice(seed);
      for (int i = 0; i < 4; i++) {
        ids.add(GuardedId.of("walk", Key.text("undated " + i)));
        // Apart by so much that no store rounds two of them to one.
        ids.add(GuardedId.of("walk", Key.dated(BASE_MICROS + i * 1_000_000L, i)));
      }
    }

    String story() {
      return String.join("\n", story);
    }

    void go(int steps) throws Exception {
      for (int i = 0; i < steps; i++) {
        // Start and decision times differ, so that the order of queue and sweep is determined.
        passMoment();
        GuardedId id = dice.pick(ids);
        step(id);
        assertEquals(model.unknowns(), unknowns());
        sameEvidence(id);
      }
    }

    /** The same late completion may be kept once or each time, and at some time it is enough. */
    private void sameEvidence(GuardedId id) {
      Set<String> expected = new LinkedHashSet<>(model.evidence(id));
      if (expected.size() <= ClaimStore.EVIDENCE_AT_LEAST) {
        assertEquals(expected, new LinkedHashSet<>(evidence(id)));
      }
    }

    private void step(GuardedId id) throws Exception {
      // The current run, the one before, or the first there ever was.
      long fence =
          dice.perMille(125) ? 1 : Math.max(1, model.fence(id) - (dice.perMille(250) ? 1 : 0));
      Reply reply = Reply.ok("reply " + dice.below(2));
      switch (dice.below(11)) {
        case 0, 1 -> claim(ask(id), null);
        case 2 -> claim(ask(id), fence);
        case 3, 4 ->
            same(
                "done " + id.key() + " " + fence + " " + reply,
                model.done(id, fence, reply),
                store().done(id, fence, reply));
        case 5 ->
            same(
                "unknown " + id.key() + " " + fence,
                model.unknown(id, fence),
                store().unknown(id, fence, "why"));
        case 6 ->
            same(
                "release " + id.key() + " " + fence,
                model.release(id, fence),
                store().release(id, fence));
        case 7 ->
            same("outcome " + id.key(), model.outcome(id), StoreModel.inWords(store().outcome(id)));
        case 8 -> abandon(id);
        case 9 -> same("acknowledge " + id.key(), model.acknowledge(id), store().acknowledge(id));
        default -> {
          passShortWhile();
          int atMost = dice.between(1, 3);
          same("sweep " + atMost, model.sweep(atMost), store().sweep(atMost));
        }
      }
    }

    private void abandon(GuardedId id) {
      boolean shortRetention = dice.perMille(500);
      long retention = (shortRetention ? soonDropped() : lasting()).retentionMillis();
      same(
          "abandon " + id.key() + (shortRetention ? " short retention" : ""),
          model.abandon(id, shortRetention),
          StoreModel.inWords(store().abandon(id, retention)));
    }

    /** A short lease ends within the step: between steps, every state is determined. */
    private void claim(Ask ask, @Nullable Long rerunOf) throws Exception {
      boolean shortLease = dice.perMille(250);
      boolean shortRetention = dice.perMille(500);
      ClaimTerms terms =
          shortLease
              ? shortRetention ? soonBoth() : soonUnknown()
              : shortRetention ? soonDropped() : lasting();
      String what =
          (rerunOf == null ? "claim " : "rerun " + rerunOf + " of ")
              + ask.id().key()
              + " fingerprint "
              + ask.fingerprint()
              + (shortLease ? " short lease" : "")
              + (shortRetention ? " short retention" : "");
      Claimed claimed =
          rerunOf == null ? store().claim(ask, terms) : store().rerun(ask, rerunOf, terms);
      same(
          what,
          rerunOf == null
              ? model.claim(ask, shortLease, shortRetention, claimed)
              : model.rerun(ask, rerunOf, shortLease, shortRetention, claimed),
          StoreModel.inWords(claimed));
      if (shortLease) {
        passShortWhile();
        model.shortLeasesEnd();
      }
    }

    private Ask ask(GuardedId id) {
      List<@Nullable Fingerprint> prints =
          Arrays.asList(null, new Fingerprint(1), new Fingerprint(1), new Fingerprint(2));
      return ClaimStoreContract.ask(id, prints.get(dice.below(prints.size())));
    }

    private void same(String what, Object expected, Object answered) {
      story.add(what + " -> " + answered);
      assertEquals(expected, answered, what);
    }

    private List<String> unknowns() {
      List<String> unknowns = new ArrayList<>();
      for (UnknownRequest each : store().unknowns(100)) {
        unknowns.add(StoreModel.inQueue(each.id(), each.fence()));
      }
      return unknowns;
    }
  }
}
