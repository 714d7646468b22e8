package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a request on its way to a ruling: the whole life of it. {@link Guard} drives it from
 * step to step, on the caller's thread or from callback to callback, but never from two threads at
 * once. Waiting is left to the driver, so that both ways of driving share every decision.
 */
final class Copy {
  /** What the driver has to do next. */
  enum Step {
    /** Run the effect with {@link Copy#run}, then tell {@link Copy#ended}. */
    RUN,
    /** Wait for {@link Copy#twin}, then tell {@link Copy#heard}. */
    AWAIT_TWIN,
    /** Let the polling interval pass, then take the {@link Copy#next} step. */
    AGAIN,
    /** Hand out {@link Copy#ruling}. */
    RULED
  }

  /** How the run ended, as it is to be recorded. */
  private enum Ending {
    DONE,
    DID_NOT_HAPPEN,
    UNKNOWN
  }

  private final GuardSetup guard;
  private final Ask ask;

  /** The flight that this copy leads. */
  private @Nullable Flight flight;

  /** The flight that it waits for. */
  private @Nullable Flight twin;

  private @Nullable Run run;

  /** The fence with which an id that must be known may run: that of a re-run, 0 before there is. */
  private long rerunFence;

  /**
   * Whether it is run again only because the outside would notice (G4). Such a run tells nothing
   * about those before it: if it did not happen, the id is not free, since the outside may have
   * forgotten its key when the next copy comes.
   */
  private boolean earlierRunMayHaveHappened;

  private @Nullable Ending ending;
  private Reply reply = Reply.FAILED;
  private @Nullable Throwable thrown;
  private @Nullable Ruling ruling;
  private long leaseEndsNanos;
  private boolean waits;
  private long waitUntilNanos;
  private boolean recordsAgain;
  private long recordUntilNanos;

  Copy(GuardSetup guard, Ask ask) {
    this.guard = guard;
    this.ask = ask;
  }

  /** Claims, or waits for a twin that has, and does what the store's answer asks for. */
  Step next() {
    if (ending != null) {
      return record();
    }
    try {
      if (guard.mustBeKnown(ask.id())) {
        GuardedOutcome known = guard.store().outcome(ask.id());
        if (isNew(known)) {
          return rule(new Ruling.Refused(Refusal.UNDATED, ""));
        }
      }
      if (guard.atOnce()) {
        return judge(guard.store().claim(ask, guard.terms()));
      }
      Claimed known = flight == null ? guard.store().glance(ask) : null;
      if (known instanceof Claimed.Done || known instanceof Claimed.Refused) {
        return judge(known);
      }
      renewLease();
      return takeOff() ? judge(guard.store().claim(ask, guard.terms())) : Step.AWAIT_TWIN;
    } catch (RuntimeException e) {
      return rule(new Ruling.NoStore(e));
    }
  }

  /** The same, where the store has answered already. */
  Step next(Claimed claimed) {
    try {
      return judge(claimed);
    } catch (RuntimeException e) {
      return rule(new Ruling.NoStore(e));
    }
  }

  /** Whether a claim would start a run. One that did not happen is as good as new. */
  private static boolean isNew(GuardedOutcome known) {
    return known instanceof GuardedOutcome.NeverSeen
        || known instanceof GuardedOutcome.NoRecordSince
        || known instanceof GuardedOutcome.DidNotHappen;
  }

  /** A store that has to be asked over a distance is asked by one copy for all. */
  private boolean takeOff() {
    if (flight != null) {
      return true;
    }
    Flight mine = new Flight(leaseEndsNanos);
    Flight theirs = guard.flights().putIfAbsent(ask.id(), mine);
    if (theirs != null
        && (theirs.leaseLeftNanos(guard.now()) > 0
            || !guard.flights().replace(ask.id(), theirs, mine))) {
      twin = theirs;
      return false;
    }
    flight = mine;
    return true;
  }

  private Step judge(Claimed claimed) {
    if (claimed instanceof Claimed.Started started) {
      if (guard.mustBeKnown(ask.id()) && started.fence() != rerunFence) {
        // Between the look and the claim it was dropped, or released: it is new.
        guard.store().release(ask.id(), started.fence());
        return rule(new Ruling.Refused(Refusal.UNDATED, ""));
      }
      return start(started.fence());
    }
    if (claimed instanceof Claimed.Done done) {
      return rule(new Ruling.Replied(done.reply(), true));
    }
    if (claimed instanceof Claimed.Running) {
      return guard.atOnce() ? meet() : again();
    }
    if (claimed instanceof Claimed.Refused refused) {
      return rule(new Ruling.Refused(refused.refusal(), refused.limit()));
    }
    return settle(((Claimed.Unknown) claimed).request());
  }

  /** Another process runs it, or has just moved it on. */
  private Step again() {
    return waitLeftNanos() > 0 ? Step.AGAIN : rule(inProgress());
  }

  /**
   * Another thread runs it. A store in memory is asked first, and only who has to wait opens a
   * flight; the one that runs looks for it when it lands. It may have landed just before, so the
   * store is asked once more.
   */
  private Step meet() {
    if (waitLeftNanos() <= 0) {
      return rule(inProgress());
    }
    Flight mine = new Flight(0);
    Flight theirs = guard.flights().putIfAbsent(ask.id(), mine);
    twin = theirs == null ? mine : theirs;
    Claimed claimed = guard.store().claim(ask, guard.terms());
    if (claimed instanceof Claimed.Running) {
      return Step.AWAIT_TWIN;
    }
    leave();
    return judge(claimed);
  }

  /** Who waits no more closes what it may have opened; others that wait there look again. */
  private void leave() {
    Flight left = twin();
    twin = null;
    if (guard.atOnce() && guard.flights().remove(ask.id(), left)) {
      left.complete(null);
    }
  }

  /** G3, G4: by the word of a probe, or by the outside's own idempotency. Else it stays unknown. */
  private Step settle(UnknownRequest request) {
    Finding finding = look(request);
    if (finding instanceof Finding.Happened happened) {
      Reply found = guard.kept(happened.reply());
      return guard.store().done(ask.id(), request.fence(), found)
          ? rule(new Ruling.Replied(found, true))
          : again();
    }
    boolean cleared = finding instanceof Finding.CanNoLongerHappen;
    if (cleared || request.startedMillisAgo() < guard.retryUnknownMillis()) {
      renewLease();
      earlierRunMayHaveHappened = !cleared;
      rerunFence = request.fence() + 1;
      return judge(guard.store().rerun(ask, request.fence(), guard.terms()));
    }
    return rule(new Ruling.Unknown(request.why(), null));
  }

  private Finding look(UnknownRequest request) {
    Probe probe = guard.probe();
    if (probe == null) {
      return new Finding.CannotTell();
    }
    try {
      Finding finding = probe.look(request);
      if (finding instanceof Finding.Happened happened) {
        guard.checkReply().accept(ask.id(), happened.reply());
      }
      return finding;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Finding.CannotTell();
    } catch (Exception e) {
      return new Finding.CannotTell();
    }
  }

  /** Counted from before the claim was sent: it ends here before it ends at the store. */
  private void renewLease() {
    leaseEndsNanos = guard.now() + guard.lease().toNanos();
    if (flight != null) {
      flight.prolong(leaseEndsNanos);
    }
  }

  /**
   * A process that was paused for so long that the lease is over must not run the effect: somebody
   * may have been told already that this run will not happen. It did not, and now it cannot.
   */
  private Step start(long fence) {
    if (guard.atOnce()) {
      // Memory answered just now, and whatever pauses this process pauses all that look at it.
      run = new Run(ask.id(), fence, guard.lease(), earlierRunMayHaveHappened);
      return Step.RUN;
    }
    Duration left = Duration.ofNanos(leaseEndsNanos - guard.now());
    run = new Run(ask.id(), fence, left, earlierRunMayHaveHappened);
    if (left.compareTo(Duration.ZERO) > 0) {
      return Step.RUN;
    }
    thrown = new LeaseOverException(ask.id());
    return end(Ending.DID_NOT_HAPPEN);
  }

  /** The effect answered or failed. */
  Step ended(@Nullable Reply answer, @Nullable Throwable failure) {
    if (failure != null) {
      thrown =
          failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
      return end(meaning(thrown));
    }
    if (answer == null) {
      thrown = new NullPointerException("the effect gave no reply");
      return end(Ending.UNKNOWN);
    }
    reply = guard.kept(answer);
    return end(Ending.DONE);
  }

  private Ending meaning(Throwable failure) {
    if (failure instanceof Error) {
      return Ending.UNKNOWN;
    }
    try {
      switch (guard.classify().apply(failure)) {
        case BUSINESS_ERROR -> {
          Bytes bytes = guard.businessReply().apply(failure);
          reply = guard.kept(Reply.businessError(bytes));
          return Ending.DONE;
        }
        case DID_NOT_HAPPEN -> {
          return Ending.DID_NOT_HAPPEN;
        }
        case UNKNOWN -> {
          return Ending.UNKNOWN;
        }
      }
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return Ending.UNKNOWN;
  }

  private Step end(Ending how) {
    ending = how;
    return record();
  }

  /**
   * Nothing is handed out before it was recorded. A store that is away is tried again until the
   * lease ends, and a caller's wait longer; an interrupted thread records all the same.
   */
  private Step record() {
    boolean interrupted = Thread.interrupted() || thrown instanceof InterruptedException;
    try {
      return rule(recorded());
    } catch (StoreUnavailableException e) {
      return ending != Ending.UNKNOWN && mayRecordAgain() ? Step.AGAIN : rule(notRecorded(e));
    } catch (RuntimeException e) {
      return rule(notRecorded(e));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean mayRecordAgain() {
    long now = guard.now();
    if (!recordsAgain) {
      recordsAgain = true;
      recordUntilNanos = now + Math.max(leaseEndsNanos - now, 0) + guard.waitNanos();
    }
    return now - recordUntilNanos < 0;
  }

  private Ruling recorded() {
    GuardedId id = ask.id();
    long fence = Objects.requireNonNull(run).fence();
    switch (Objects.requireNonNull(ending)) {
      case DONE -> {
        return guard.store().done(id, fence, reply)
            ? new Ruling.Replied(reply, false)
            : new Ruling.Unknown(
                "the effect completed, but too late: the request had been given to a later run or"
                    + " resolved; the completion is kept as evidence",
                thrown,
                true);
      }
      case DID_NOT_HAPPEN -> {
        if (earlierRunMayHaveHappened) {
          String why = "an earlier run is unknown; the last did not happen: " + thrown;
          guard.store().unknown(id, fence, why);
          return new Ruling.Unknown(why, thrown);
        }
        return guard.store().release(id, fence)
            ? new Ruling.DidNotHappen(Objects.requireNonNull(thrown))
            : new Ruling.Unknown(
                "the run did not happen, but the request had been given to a later run or resolved",
                thrown,
                true);
      }
      case UNKNOWN -> {
        String why = String.valueOf(thrown);
        guard.store().unknown(id, fence, why);
        return new Ruling.Unknown(why, thrown);
      }
    }
    throw new IllegalStateException("an ending without a record: " + ending);
  }

  private Ruling notRecorded(RuntimeException failure) {
    if (thrown != null) {
      failure.addSuppressed(thrown);
    }
    return new Ruling.Unknown("the run ended, but the store could not be told", failure);
  }

  /** What the twin was told; null if waiting for it made no sense any more. */
  Step heard(@Nullable Ruling theirs) {
    if (theirs != null && twin().askedTheSame(ask)) {
      Ruling mine = asTwin(theirs);
      if (mine != null) {
        return rule(mine);
      }
    }
    if (theirs == null && waitLeftNanos() <= 0) {
      return rule(inProgress());
    }
    twin = null;
    return next();
  }

  /** What a ruling on one copy says about another; null if it says nothing. */
  private static @Nullable Ruling asTwin(Ruling theirs) {
    if (theirs instanceof Ruling.Replied replied) {
      return replied.replay() ? replied : new Ruling.Replied(replied.reply(), true);
    }
    if (theirs instanceof Ruling.Unknown unknown) {
      return unknown.cause() == null
          ? unknown
          : new Ruling.Unknown(unknown.why(), null, unknown.resendSettles());
    }
    return theirs instanceof Ruling.InProgress ? null : theirs;
  }

  private Step rule(Ruling decided) {
    ruling = decided;
    if (twin != null) {
      leave();
    }
    land(decided);
    return Step.RULED;
  }

  /** The driver cannot go on. Twins are not left waiting; the lease tells the rest. */
  void crash(Throwable why) {
    land(new Ruling.Unknown("the guard failed: " + why, null));
  }

  private void land(Ruling forTwins) {
    Flight mine = flight;
    if (mine != null) {
      flight = null;
      guard.flights().remove(ask.id(), mine);
      mine.land(ask, forTwins);
    } else if (run != null) {
      Flight waiting = guard.flights().remove(ask.id());
      if (waiting != null) {
        waiting.land(ask, forTwins);
      }
    }
  }

  /** Blocks as long as {@link #heard} can use. */
  Step awaitTwin() {
    Flight their = twin();
    try {
      return heard(their.get(Math.max(patienceNanos(), 0), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return heard(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return rule(inProgress());
    } catch (ExecutionException e) {
      throw new IllegalStateException("a flight ended without a ruling: " + their, e);
    }
  }

  /** Blocks for a polling interval. A claim gives up when interrupted; a record never does. */
  Step pause() {
    long until = System.nanoTime() + guard.pollEvery().toNanos();
    boolean interrupted = false;
    for (long left = guard.pollEvery().toNanos(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        interrupted = true;
        if (ending == null) {
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      if (ending == null) {
        return rule(inProgress());
      }
    }
    return next();
  }

  /**
   * How long it makes sense to wait for the twin. Memory is asked again after a while, since it may
   * serve other guards too, which know nothing of flights here.
   */
  long patienceNanos() {
    long useful = guard.atOnce() ? guard.pollEvery().toNanos() : twin().leaseLeftNanos(guard.now());
    return Math.min(waitLeftNanos(), useful);
  }

  /** Counted from the first time that it has to wait. */
  private long waitLeftNanos() {
    long now = guard.now();
    if (!waits) {
      waits = true;
      waitUntilNanos = now + guard.waitNanos();
    }
    return waitUntilNanos - now;
  }

  private Ruling inProgress() {
    return new Ruling.InProgress(guard.pollEvery());
  }

  Run run() {
    return Objects.requireNonNull(run, "run");
  }

  Flight twin() {
    return Objects.requireNonNull(twin, "twin");
  }

  Ruling ruling() {
    return Objects.requireNonNull(ruling, "ruling");
  }

  /** What the caller has to be told louder than by a ruling. */
  @Nullable Error error() {
    return thrown instanceof Error error ? error : null;
  }
}
