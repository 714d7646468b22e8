package io.onceward.client;

import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.guard.UnknownRequest;
import io.onceward.services.ClaimCommand;
import io.onceward.services.ClaimReply;
import io.onceward.services.ServiceLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a store as commands for the claims service and answers from it, however they get
 * there and back.
 */
abstract class ClaimSteps implements ClaimStore {
  /** Three million years: moments before and after it are the same to a log. */
  private static final long MOST_SECONDS = 100_000_000_000_000L;

  private final String name;

  ClaimSteps(String name) {
    this.name = name;
  }

  /**
   * Has a command applied.
   *
   * @param giveBack what to send if it is found later that a run was started by it
   */
  abstract ClaimReply submit(ClaimCommand command, @Nullable LongFunction<ClaimCommand> giveBack);

  /** Asks, without changing anything. */
  abstract ClaimReply query(ClaimCommand question);

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    return claim(
        new ClaimCommand.Claim(name, ask, terms),
        ask.id(),
        fence -> new ClaimCommand.Release(name, ask.id(), fence));
  }

  /** What was unknown before is unknown again, if the run that was started in vain is found. */
  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    return claim(
        new ClaimCommand.Rerun(name, ask, fence, terms),
        ask.id(),
        later ->
            new ClaimCommand.Unknown(
                name, ask.id(), later, "a run before this one is unknown; this one did not begin"));
  }

  private Claimed claim(ClaimCommand command, GuardedId id, LongFunction<ClaimCommand> giveBack) {
    ClaimReply reply = submit(command, giveBack);
    Claimed claimed = ClaimReply.claimed(reply);
    if (claimed != null) {
      return claimed;
    }
    return new Claimed.Done(recall(id));
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    return taken(new ClaimCommand.Done(name, id, fence, reply));
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    return taken(new ClaimCommand.Unknown(name, id, fence, why));
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    return taken(new ClaimCommand.Release(name, id, fence));
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    // A question does not move log time on; this does, so that leases that are over are over.
    submit(new ClaimCommand.Sweep(name, 0), null);
    ClaimReply.Outcome told = (ClaimReply.Outcome) query(new ClaimCommand.Outcome(name, id));
    return told.atLength() && told.known() instanceof GuardedOutcome.Executed executed
        ? new GuardedOutcome.Executed(recall(id), executed.started())
        : told.known();
  }

  @Override
  public GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    ClaimCommand command = new ClaimCommand.Abandon(name, id, retentionMillis);
    ClaimReply.Abandonment told = (ClaimReply.Abandonment) submit(command, null);
    return told.atLength() ? new GuardedAbandonment.Executed(recall(id)) : told.known();
  }

  /** A reply that was too long to come along. */
  private Reply recall(GuardedId id) {
    if (query(new ClaimCommand.Recall(name, id)) instanceof ClaimReply.Done done) {
      return done.reply();
    }
    throw new StoreUnavailableException(
        "the request was dropped while its reply was on its way", null);
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    return taken(new ClaimCommand.Acknowledge(name, id));
  }

  /** By log time, of which the latest entry tells; changes nothing. */
  @Override
  public long countOlderThan(Instant started) {
    ClaimCommand question = new ClaimCommand.CountOlder(name, boundMillis(started));
    return ((ClaimReply.Counted) query(question)).count();
  }

  /** How many {@link #forgetByAge} would drop. */
  public long countByAge(Duration beforeAge) {
    ClaimCommand question = new ClaimCommand.CountByAge(name, beforeAge.toMillis());
    return ((ClaimReply.Counted) query(question)).count();
  }

  /** In steps of a thousand. A step that was taken stays forgotten if a later one fails. */
  @Override
  public long forget(Instant started) {
    return forget(new ClaimCommand.Forget(name, boundMillis(started), ServiceLimits.LIST_ENTRIES));
  }

  /**
   * Drops the records of requests that were started before the cluster had this age, as {@link
   * #forget} does by log time (K4). Age counts how long the cluster has been at work (T3). After a
   * leader's clock was far ahead, log time stands still until the clocks have caught up, and only
   * this reaches what was started meanwhile. To drop what was started more than 30 days of work
   * ago, subtract these from {@link io.onceward.wire.NodeStatus#ageMillis} of {@link Admin#status}.
   *
   * @return how many
   */
  public long forgetByAge(Duration beforeAge) {
    return forget(
        new ClaimCommand.ForgetByAge(name, beforeAge.toMillis(), ServiceLimits.LIST_ENTRIES));
  }

  private long forget(ClaimCommand step) {
    long forgotten = 0;
    try {
      int dropped;
      do {
        dropped = ((ClaimReply.Swept) submit(step, null)).dropped();
        forgotten += dropped;
      } while (dropped == ServiceLimits.LIST_ENTRIES);
      return forgotten;
    } catch (StoreUnavailableException e) {
      throw new StoreUnavailableException(
          e.getMessage() + "; " + forgotten + " requests are forgotten, perhaps more", e);
    }
  }

  /** What is before a moment is before the millisecond that ends with it or after it. */
  private static long boundMillis(Instant started) {
    long seconds = started.getEpochSecond();
    return Math.abs(seconds) > MOST_SECONDS
        ? Long.signum(seconds) * MOST_SECONDS * 1_000
        : seconds * 1_000 + (started.getNano() + 999_999) / 1_000_000;
  }

  /**
   * Lets a scope accept dated keys only (K5), or all again. The cluster holds the setting: it is in
   * force for every process that uses this store, at once and until it is taken back. New undated
   * keys are refused as {@code UNDATED}; those that are known are answered as before.
   *
   * @return whether this changed anything
   * @throws StoreUnavailableException if the cluster did not answer, or has no room for it
   */
  public boolean datedOnly(Scope scope, boolean on) {
    return taken(new ClaimCommand.DatedOnly(name, scope, on));
  }

  private boolean taken(ClaimCommand command) {
    ClaimReply reply = submit(command, null);
    if (reply instanceof ClaimReply.Refused refused) {
      throw new StoreUnavailableException(
          "the claims service has no room for this now: " + refused.limit(), null);
    }
    return ((ClaimReply.Taken) reply).taken();
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    List<UnknownRequest> unknowns = new ArrayList<>();
    // A question does not move log time on; this does, so that leases that are over are over.
    submit(new ClaimCommand.Sweep(name, 0), null);
    long after = 0;
    boolean more = true;
    while (more && unknowns.size() < atMost) {
      int limit = Math.min(atMost - unknowns.size(), ServiceLimits.LIST_ENTRIES);
      ClaimReply.Unknowns page =
          (ClaimReply.Unknowns) query(new ClaimCommand.Unknowns(name, after, limit));
      unknowns.addAll(page.requests());
      after = page.last();
      more = page.more();
    }
    return unknowns;
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    return ((ClaimReply.Late) query(new ClaimCommand.Late(name, id))).evidence();
  }

  @Override
  public int sweep(int atMost) {
    int swept = 0;
    boolean more = true;
    while (more && swept < atMost) {
      int limit = Math.min(atMost - swept, ServiceLimits.LIST_ENTRIES);
      int dropped =
          ((ClaimReply.Swept) submit(new ClaimCommand.Sweep(name, limit), null)).dropped();
      swept += dropped;
      more = dropped == limit;
    }
    return swept;
  }

  @Override
  public int maxReplyBytes() {
    return ServiceLimits.CLAIM_REPLY_BYTES;
  }

  @Override
  public long maxLeaseMillis() {
    return ServiceLimits.CLAIM_LEASE_MILLIS;
  }

  @Override
  public Durability durability() {
    return Durability.DURABLE;
  }
}
