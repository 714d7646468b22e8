package io.onceward.testkit;

import io.onceward.testkit.audit.Auditor;
import io.onceward.testkit.audit.Invariant;
import io.onceward.testkit.audit.Ledger;
import io.onceward.testkit.audit.Tally;
import io.onceward.testkit.audit.Violation;
import io.onceward.testkit.model.DecidedAsTheSpecSays;
import io.onceward.testkit.world.Parts;
import io.onceward.testkit.world.Wish;
import io.onceward.testkit.world.World;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of one seed: a world and its auditor, until all is well again or a promise is broken.
 *
 * @param activeMillis simulated time in which clients work; hours that are skipped come on top
 * @param parts what the world is built from
 * @param withModel whether every decision is also held against the reference model
 * @param lines hears every event as a line; null to keep quiet
 */
public record Simulation(
    long activeMillis, Parts parts, boolean withModel, @Nullable Consumer<String> lines) {

  /** Something threw that nobody expected: the name that such a failure is reported under. */
  public static final String NOTHING_THROWS = "NothingThrows";

  /**
   * What came of it.
   *
   * @param broken the invariant that does not hold, or null if all do
   * @param whatHappened the event that broke it; empty if all is well
   * @param findings each case, if it was broken many times at once
   */
  public record Report(
      long seed,
      @Nullable String broken,
      String whatHappened,
      List<String> findings,
      long traceHash,
      long events,
      long activeMillis,
      long skippedMillis,
      long answers,
      long positions,
      Map<String, Long> tally) {
    public boolean passed() {
      return broken == null;
    }
  }

  /** What ships, held against everything. */
  public static Simulation ofWhatShips(long activeMillis) {
    return new Simulation(activeMillis, Parts.HONEST, true, null);
  }

  /** Runs the seed from beginning to end. */
  public Report run(long seed) {
    Ledger ledger = new Ledger();
    List<Invariant> invariants = Auditor.namedInvariants(ledger);
    Tally tally = new Tally();
    invariants.add(tally);
    if (withModel) {
      invariants.add(new DecidedAsTheSpecSays());
    }
    World world = new World(seed, parts, new Auditor(ledger, invariants, Wish::numberIn), lines);
    try {
      world.run(activeMillis);
      return report(seed, world, tally, null, "", List.of());
    } catch (Violation violation) {
      return report(
          seed,
          world,
          tally,
          violation.invariant(),
          String.valueOf(violation.getMessage()),
          violation.findings());
    } catch (RuntimeException unexpected) {
      return report(seed, world, tally, NOTHING_THROWS, withStack(unexpected), List.of());
    }
  }

  private static Report report(
      long seed,
      World world,
      Tally tally,
      @Nullable String broken,
      String whatHappened,
      List<String> findings) {
    return new Report(
        seed,
        broken,
        whatHappened,
        findings,
        world.traceHash(),
        world.events(),
        world.activeMillis(),
        world.skippedMillis(),
        world.requestsAnswered(),
        world.positions(),
        tally.counts());
  }

  private static String withStack(RuntimeException unexpected) {
    StringWriter text = new StringWriter();
    unexpected.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
