package io.onceward.crash.child;

import io.onceward.crash.Step;
import io.onceward.crash.Step.Moment;
import io.onceward.crash.Step.Phase;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Where one lane is to stop. When it gets there it says so and stays, until the process is killed
 * or the lane is told to go on.
 */
final class Stops {
  private static final ThreadLocal<@Nullable Stops> CURRENT = new ThreadLocal<>();

  private final int lane;
  private volatile @Nullable Step wanted;
  private volatile @Nullable Phase phase;
  private volatile CountDownLatch goOn = new CountDownLatch(1);

  Stops(int lane) {
    this.lane = lane;
  }

  /** Those of the lane that this thread works for. */
  static @Nullable Stops current() {
    return CURRENT.get();
  }

  void becomeCurrent() {
    CURRENT.set(this);
  }

  void want(@Nullable Step step) {
    wanted = step;
    goOn = new CountDownLatch(1);
  }

  boolean wants(Step step) {
    return wanted == step;
  }

  boolean wants(Phase of, Moment moment) {
    Step step = wanted;
    return step != null && step.name().equals(of.name() + "_" + moment.name());
  }

  void reach(Phase of, Moment moment) {
    if (wants(of, moment)) {
      reach(of.at(moment));
    }
  }

  /** Stays here if this is the place. */
  void reach(Step step) {
    if (wanted != step) {
      return;
    }
    wanted = null;
    ChildProgram.say("at " + lane + " " + step);
    stay();
  }

  /** Stays until it is told to go on, which most never are. */
  void stay() {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a lane", e);
    }
  }

  void goOn() {
    goOn.countDown();
  }

  /** What bytes that this lane sends from now on are about; null for nothing that matters. */
  void enter(@Nullable Phase newPhase) {
    phase = newPhase;
  }

  /** Whether bytes that are sent now are to be stopped at this moment. */
  boolean wantsNow(Moment moment) {
    Phase now = phase;
    return now != null && wants(now, moment);
  }

  void reachNow(Moment moment) {
    Phase now = phase;
    if (now != null) {
      reach(now, moment);
    }
  }
}
