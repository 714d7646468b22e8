package io.onceward.guard;

import io.onceward.Bytes;
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
    /** Let the polling interval pass, then {@link Copy#resume}. */
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
  private final long beganNanos;
  private long leaseEndsNanos;

  /** The flight that this copy leads. */
  private @Nullable Flight flight;

  private @Nullable Flight twin;
  private @Nullable Run run;
  private @Nullable Ending ending;
  private Reply reply = Reply.FAILED;
  private @Nullable Throwable thrown;
  private long recordUntilNanos;
  private @Nullable Ruling ruling;

  Copy(GuardSetup guard, Ask ask) {
    this.guard = guard;
    this.ask = ask;
    beganNanos = System.nanoTime();
    leaseEndsNanos = beganNanos + guard.leaseNanos();
  }

  /** Takes off if no twin is in the air, claims, and does what the store's answer asks for. */
  Step next() {
    if (ending != null) {
      return record();
    }
    if (flight == null && !takeOff()) {
      return Step.AWAIT_TWIN;
    }
    try {
      return judge(guard.store().claim(ask, guard.terms()));
    } catch (RuntimeException e) {
      return rule(new Ruling.NoStore(e));
    }
  }

  private boolean takeOff() {
    Flight mine = new Flight(ask.fingerprint(), leaseEndsNanos);
    Flight theirs = guard.flights().putIfAbsent(ask.id(), mine);
    if (theirs != null) {
      long now = System.nanoTime();
      if (theirs.leaseLeftNanos(now) > 0 || !guard.flights().replace(ask.id(), theirs, mine)) {
        twin = theirs;
        return false;
      }
    }
    flight = mine;
    return true;
  }

  private Step judge(Claimed claimed) {
    if (claimed instanceof Claimed.Started started) {
      return start(started.fence());
    }
    if (claimed instanceof Claimed.Done done) {
      return rule(new Ruling.Replied(done.reply(), true));
    }
    if (claimed instanceof Claimed.Running) {
      return again();
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

  /** G3, G4: by the word of a probe, or by the outside's own idempotency. Else it stays unknown. */
  private Step settle(UnknownRequest request) {
    Finding finding = look(request);
    if (finding instanceof Finding.Happened happened) {
      Reply found = guard.kept(happened.reply());
      return guard.store().done(ask.id(), request.fence(), found)
          ? rule(new Ruling.Replied(found, true))
          : again();
    }
    if (finding instanceof Finding.CanNoLongerHappen
        || request.startedMillisAgo() < guard.retryUnknownMillis()) {
      renewLease();
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
      return probe.look(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Finding.CannotTell();
    } catch (Exception e) {
      return new Finding.CannotTell();
    }
  }

  /** Counted from before the claim was sent: it ends here before it ends at the store. */
  private void renewLease() {
    leaseEndsNanos = System.nanoTime() + guard.leaseNanos();
    if (flight != null) {
      flight.prolong(leaseEndsNanos);
    }
  }

  /**
   * A process that was paused for so long that the lease is over must not run the effect: somebody
   * may have been told already that this run will not happen. It did not, and now it cannot.
   */
  private Step start(long fence) {
    long left = leaseEndsNanos - System.nanoTime();
    run = new Run(ask.id(), fence, Duration.ofNanos(Math.max(left, 0)));
    if (left > 0) {
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
    long now = System.nanoTime();
    recordUntilNanos = Math.max(leaseEndsNanos - now, 0) + now + guard.waitNanos();
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
      return ending != Ending.UNKNOWN && System.nanoTime() - recordUntilNanos < 0
          ? Step.AGAIN
          : rule(notRecorded(e));
    } catch (RuntimeException e) {
      return rule(notRecorded(e));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
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
                thrown);
      }
      case DID_NOT_HAPPEN -> {
        return guard.store().release(id, fence)
            ? new Ruling.DidNotHappen(Objects.requireNonNull(thrown))
            : new Ruling.Unknown(
                "the run did not happen, but the request had been given to a later run or resolved",
                thrown);
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

  /** What the twin was told; null if its lease or this copy's wait ended first. */
  Step heard(@Nullable Ruling theirs) {
    Flight their = Objects.requireNonNull(twin);
    twin = null;
    if (theirs != null && their.asksTheSame(ask)) {
      Ruling mine = asTwin(theirs);
      if (mine != null) {
        return rule(mine);
      }
    }
    if (theirs == null && waitLeftNanos() <= 0) {
      return rule(inProgress());
    }
    return resume();
  }

  /** What a ruling on one copy says about another; null if it says nothing. */
  private static @Nullable Ruling asTwin(Ruling theirs) {
    if (theirs instanceof Ruling.Replied replied) {
      return replied.replay() ? replied : new Ruling.Replied(replied.reply(), true);
    }
    if (theirs instanceof Ruling.Unknown unknown) {
      return unknown.cause() == null ? unknown : new Ruling.Unknown(unknown.why(), null);
    }
    return theirs instanceof Ruling.InProgress ? null : theirs;
  }

  private Step rule(Ruling decided) {
    ruling = decided;
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
      mine.complete(forTwins);
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
    return resume();
  }

  /** The next step after time has passed. */
  Step resume() {
    if (ending == null) {
      renewLease();
    }
    return next();
  }

  /** How long it makes sense to wait for the twin. */
  long patienceNanos() {
    return Math.min(waitLeftNanos(), twin().leaseLeftNanos(System.nanoTime()));
  }

  private long waitLeftNanos() {
    return beganNanos + guard.waitNanos() - System.nanoTime();
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
