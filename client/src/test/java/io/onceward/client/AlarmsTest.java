package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Who is woken when, and how many timers that takes. */
class AlarmsTest {
  private static final long DAY = 24 * 60 * 60 * 1000;

  private record Timer(long atMillis, long number, Runnable task) {}

  /** A transport without lines, whose time passes when a test wants. */
  private static final class TimeOnly implements Transport {
    private final PriorityQueue<Timer> timers =
        new PriorityQueue<>(Comparator.comparingLong(Timer::atMillis).thenComparing(Timer::number));
    private long nowMillis;
    private long number;
    private int mostTimers;
    private boolean fails;

    @Override
    public Line connect(String address, Line.Listener listener) {
      throw new IllegalStateException("nobody is here");
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
      if (fails) {
        throw new IllegalStateException("no timer can be set");
      }
      timers.add(new Timer(nowMillis + delayMillis, number++, task));
      mostTimers = Math.max(mostTimers, timers.size());
    }

    void passUntil(long millis) {
      while (!timers.isEmpty() && timers.peek().atMillis() <= millis) {
        Timer next = timers.remove();
        nowMillis = next.atMillis();
        next.task().run();
      }
      nowMillis = millis;
    }

    @Override
    public boolean isTransportThread() {
      return true;
    }

    @Override
    public void close() {}
  }

  private final TimeOnly time = new TimeOnly();
  private final Alarms alarms = new Alarms(time, () -> time.nowMillis);
  private int rings;

  @Test
  void alarmThatCouldNotBeSetIsSetTheNextTime() {
    Alarms.Alarm alarm = new Alarms.Alarm(now -> rings++);
    time.fails = true;
    alarms.wakeBy(alarm, 10);
    time.fails = false;
    alarms.wakeBy(alarm, 10);
    time.passUntil(10);
    assertThat(rings).isEqualTo(1);
  }

  /** Each keep-alive is missed late, and as soon as it is answered, the next one is due sooner. */
  @Test
  void keepAlivesForAThousandIntervalsNeedTwoTimers() {
    Alarms.Alarm[] session = new Alarms.Alarm[1];
    session[0] =
        new Alarms.Alarm(
            now -> {
              rings++;
              alarms.wakeBy(session[0], now + 22_000);
            });
    alarms.wakeBy(session[0], 10_000);
    for (int i = 1; i <= 1_000; i++) {
      time.passUntil(i * 10_000L);
      assertThat(rings).isEqualTo(i);
      alarms.wakeBy(session[0], (i + 1) * 10_000L);
    }
    assertThat(time.mostTimers).isLessThanOrEqualTo(2);
  }

  @Test
  void oneAlarmFarAwayDoesNotMultiplyBesideManyNearOnes() {
    Alarms.Alarm far = new Alarms.Alarm(now -> rings++);
    alarms.wakeBy(far, DAY / 2);
    long[] rung = new long[1];
    for (int i = 1; i <= 1_000; i++) {
      Alarms.Alarm near = new Alarms.Alarm(now -> rung[0] = now);
      alarms.wakeBy(near, i * 100L);
      time.passUntil(i * 100L);
      assertThat(rung[0]).isEqualTo(i * 100L);
    }
    assertThat(time.mostTimers).isLessThanOrEqualTo(2);
    time.passUntil(DAY / 2);
    assertThat(rings).isEqualTo(1);
    assertThat(time.timers).isEmpty();
  }

  @Test
  void alarmBeyondTheLongestTimerRingsInTime() {
    Alarms.Alarm far = new Alarms.Alarm(now -> rings++);
    alarms.wakeBy(far, 10 * DAY + 1);
    time.passUntil(10 * DAY);
    assertThat(rings).isZero();
    time.passUntil(10 * DAY + 1);
    assertThat(rings).isEqualTo(1);
    assertThat(time.mostTimers).isEqualTo(1);
  }

  @Test
  void forgottenAlarmDoesNotRing() {
    Alarms.Alarm alarm = new Alarms.Alarm(now -> rings++);
    alarms.wakeBy(alarm, 5);
    alarms.forget(alarm);
    time.passUntil(10);
    assertThat(rings).isZero();
    assertThat(time.timers).isEmpty();
  }
}
