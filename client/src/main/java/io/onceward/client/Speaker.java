package io.onceward.client;

import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whoever asks the cluster and hears its answers: a session, the keyed requests, the single
 * questions. It puts threads around logic that knows none: one lock, under which the logic runs,
 * and from which callers are told only when it is released.
 */
abstract class Speaker {
  final Nodes nodes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Alarms.Alarm alarm = new Alarms.Alarm(this::ring);
  private @Nullable List<Told> told;

  /** The time of the event that is being handled; for actions, which happen inside one. */
  long nowMillis;

  Speaker(Nodes nodes) {
    this.nodes = nodes;
  }

  /** Begins an event; what follows up to {@link #exit} is under the lock. */
  final void enter() {
    enter(nodes.nowMillis());
  }

  final void enter(long now) {
    lock.lock();
    nowMillis = now;
  }

  /** Ends an event: messages leave, and callers hear what became known. */
  final void exit() {
    if (lock.getHoldCount() > 1) {
      // Inside another event of this thread, which ends it all.
      lock.unlock();
      return;
    }
    List<Told> news = told;
    told = null;
    long wake = Long.MAX_VALUE;
    try {
      wake = wakeMillis();
    } finally {
      lock.unlock();
      afterwards(wake, news);
    }
  }

  /**
   * Whatever fails here must not keep the rest from happening: callers wait for their news. Nor may
   * it reach the caller: what was asked is under way, and would be taken for never asked (O3).
   */
  private void afterwards(long wake, @Nullable List<Told> news) {
    try {
      nodes.alarms().wakeBy(alarm, wake);
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
    try {
      nodes.flush();
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
    if (news != null) {
      nodes.tell(news);
    }
  }

  /**
   * Asks the leader. A copy that cannot be sent is a lost copy: the logic sends another one, and
   * nothing that it has decided on the way is undone.
   *
   * @return whether the copy is under way, or another one for it
   */
  final Connection.Added ask(Asked copy) {
    try {
      return nodes.ask(copy);
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
      return Connection.Added.DEAD;
    }
  }

  /** Has a caller told at the end of the event. */
  final void tell(Told news) {
    if (told == null) {
      told = new ArrayList<>();
    }
    told.add(news);
  }

  private void ring(long now) {
    // A new connection first, so that nothing is sent again into one that is half dead (C4).
    try {
      nodes.leaveSilentLeader(now);
    } finally {
      enter(now);
      try {
        tick();
      } finally {
        exit();
      }
    }
  }

  final void forgetAlarm() {
    nodes.alarms().forget(alarm);
  }

  // Inside an event.

  abstract void answered(Object asked, int copy, Answer answer);

  /** Everything goes another way from now on; what is under way may be lost. */
  abstract void rerouted();

  /** The cluster expects something else of idle clients. */
  void timing(Timing timing) {}

  abstract void tick();

  abstract long wakeMillis();

  /** One who heeds the loss of each single copy; the others wait to be rerouted. */
  abstract static class Heeding extends Speaker {
    Heeding(Nodes nodes) {
      super(nodes);
    }

    /**
     * The connection ended before this copy was answered, or the copy could not be written.
     *
     * @param left whether it was handed to the network; if not, no node ever saw it
     */
    abstract void lost(Object asked, int copy, boolean left);
  }
}
