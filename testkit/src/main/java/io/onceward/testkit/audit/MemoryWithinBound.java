package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Shown;
import org.jspecify.annotations.Nullable;

/**
 * The tables stay within their limit and the reserve above it, are refused for lack of room only
 * when they are nearly full, and admit at any time what makes them shrink (K6).
 */
public final class MemoryWithinBound extends Invariant {
  /** No record costs more than this beside its reply, names included. */
  private static final long LARGEST_FIXED_COST = 1_024;

  private static final long SEQUENCE_COST = 48;
  private static final int RESERVE_PART = 16;

  private final Ledger ledger;
  private long allowed = Long.MAX_VALUE;
  private long bytes;
  private long largestNeeded;

  public MemoryWithinBound(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void shown(Shown state) {
    if (state.position() != ledger.position()) {
      return;
    }
    long limit = ledger.settings().of(Parameter.MAX_TABLE_BYTES);
    long bound = limit + limit / RESERVE_PART;
    check(state.tableBytes() >= 0, "a table of less than nothing", state);
    // A limit that was lowered takes nothing away: until then the table must only not grow.
    check(
        state.tableBytes() <= Math.max(bound, allowed),
        "the tables are over their limit",
        state,
        "; allowed are ",
        limit);
    allowed = state.tableBytes() > bound ? state.tableBytes() : bound;
    bytes = state.tableBytes();
  }

  @Override
  protected void judged(Judged copy) {
    if (!(copy.decision() instanceof Decision.Refused refused)
        || refused.refusal() != Refusal.OVERLOADED) {
      return;
    }
    check(!isAlwaysAdmitted(copy.request()), "what lets the tables shrink was turned away", copy);
    if (refused.limit().equals("table bytes")) {
      long limit = ledger.settings().of(Parameter.MAX_TABLE_BYTES);
      long needed = ledger.settings().of(Parameter.MAX_REPLY_BYTES) + fixedCost(copy);
      largestNeeded = Math.max(largestNeeded, needed);
      check(
          bytes + needed + copy.ordinal() * largestNeeded > limit,
          "refused for lack of room that there was",
          copy,
          "; ",
          bytes,
          " bytes of ",
          limit,
          " were taken");
    }
  }

  /** A sequence pays for all that it leaves out below it as well, at most for the window. */
  private long fixedCost(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    SessionFact fact = speech == null ? null : speech.own();
    return LARGEST_FIXED_COST + (fact == null ? 0 : SEQUENCE_COST * fact.window());
  }

  private static boolean isAlwaysAdmitted(@Nullable Request request) {
    return request instanceof Request.KeepAlive
        || request instanceof Request.Close
        || request instanceof Request.Acknowledge
        || request instanceof Request.Forget
        || request instanceof Request.ForgetByAge
        || request instanceof Request.Tick
        || request instanceof Request.SetParameter;
  }
}
