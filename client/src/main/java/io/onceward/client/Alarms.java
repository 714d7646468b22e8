package io.onceward.client;

import io.onceward.client.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Wakes whoever asked for it, on the transport's thread. There is one timer for all, a second one
 * for a while when somebody has to be woken sooner, and none while nobody waits: a hundred thousand
 * idle sessions cost one entry each.
 */
final class Alarms {
  private static final long LONGEST_MILLIS = 24 * 60 * 60 * 1000;
  private static final AtomicLong NUMBERS = new AtomicLong();

  /** One who may be woken. */
  static final class Alarm implements Comparable<Alarm> {
    private final long number = NUMBERS.incrementAndGet();
    private final LongConsumer ring;

    /** Written by the transport's thread alone, before it rings; read by all. */
    private volatile long dueMillis = Long.MAX_VALUE;

    private volatile boolean forgotten;

    Alarm(LongConsumer ring) {
      this.ring = ring;
    }

    @Override
    public int compareTo(Alarm other) {
      int byTime = Long.compare(dueMillis, other.dueMillis);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  private final Transport transport;
  private final LongSupplier clock;

  // On the transport's thread only.
  private final TreeSet<Alarm> waiting = new TreeSet<>();

  /**
   * When the timers that were started will ring. Timers cannot be stopped, so each is counted until
   * it rings, and another one is started only if none of them rings soon enough.
   */
  private final TreeSet<Long> timers = new TreeSet<>();

  Alarms(Transport transport, LongSupplier clock) {
    this.transport = transport;
    this.clock = clock;
  }

  /**
   * Sees to it that the alarm rings at this time or before.
   *
   * <p>Reading an old value of {@code dueMillis} does no harm: it is reset before the alarm rings,
   * and whoever is rung looks, under the lock that the caller has just released, when to be woken
   * next.
   */
  void wakeBy(Alarm alarm, long millis) {
    if (millis < alarm.dueMillis && !alarm.forgotten) {
      onThread(() -> set(alarm, millis));
    }
  }

  /** The alarm never rings again and is not kept. */
  void forget(Alarm alarm) {
    alarm.forgotten = true;
    onThread(() -> waiting.remove(alarm));
  }

  /**
   * If this fails, the caller does not hear of it: what it wants to be woken for is under way, and
   * whatever happens to it next looks again; what is forgotten does not ring.
   */
  private void onThread(Runnable task) {
    try {
      if (transport.isTransportThread()) {
        task.run();
      } else {
        transport.execute(task);
      }
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }

  private void set(Alarm alarm, long millis) {
    if (millis < alarm.dueMillis && !alarm.forgotten) {
      waiting.remove(alarm);
      alarm.dueMillis = millis;
      try {
        waiting.add(alarm);
        startTimer();
      } catch (RuntimeException | Error e) {
        // Nothing may wake it, so it must not seem to be set: the next to ask tries again.
        waiting.remove(alarm);
        alarm.dueMillis = Long.MAX_VALUE;
        throw e;
      }
    }
  }

  private void startTimer() {
    if (!waiting.isEmpty()) {
      long now = clock.getAsLong();
      long delay = delay(waiting.first().dueMillis, now);
      long rings = now + delay;
      if (timers.isEmpty() || rings < timers.first()) {
        transport.schedule(() -> ring(rings), delay);
        timers.add(rings);
      }
    }
  }

  /** Far away times must not overflow, in either direction; a timer that rings early is reset. */
  private static long delay(long due, long now) {
    return due <= now ? 0 : due - now < 0 ? LONGEST_MILLIS : Math.min(due - now, LONGEST_MILLIS);
  }

  private void ring(long timer) {
    timers.remove(timer);
    long now = clock.getAsLong();
    List<Alarm> due = new ArrayList<>();
    while (!waiting.isEmpty() && waiting.first().dueMillis <= now) {
      due.add(waiting.pollFirst());
    }
    for (Alarm alarm : due) {
      alarm.dueMillis = Long.MAX_VALUE;
      if (!alarm.forgotten) {
        ring(alarm, now);
      }
    }
    startTimer();
  }

  /** One that fails keeps neither the others nor the timer from going on. */
  private static void ring(Alarm alarm, long now) {
    try {
      alarm.ring.accept(now);
    } catch (RuntimeException | Error e) {
      Uncaught.report(e);
    }
  }
}
