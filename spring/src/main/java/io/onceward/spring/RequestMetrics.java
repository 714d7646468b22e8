package io.onceward.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardListener;
import io.onceward.guard.Ruling;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;

/**
 * {@code onceward.requests}: how many, and how long they took, by operation, outcome and whether it
 * was a replay. Never by key: there is no end of keys.
 */
final class RequestMetrics implements GuardListener {
  private final ObjectProvider<MeterRegistry> registry;

  RequestMetrics(ObjectProvider<MeterRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public void ruled(Ask ask, Ruling ruling, long nanos) {
    MeterRegistry meters = registry.getIfAvailable();
    if (meters != null) {
      boolean replay = ruling instanceof Ruling.Replied replied && replied.replay();
      Timer.builder("onceward.requests")
          .description("Requests that were to take effect once, and what became of them")
          .tag("operation", ask.operation())
          .tag("outcome", outcome(ruling))
          .tag("replay", Boolean.toString(replay))
          .register(meters)
          .record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private static String outcome(Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied) {
      return word(replied.reply().kind());
    }
    if (ruling instanceof Ruling.Refused refused) {
      return word(refused.refusal());
    }
    if (ruling instanceof Ruling.InProgress) {
      return "in-progress";
    }
    if (ruling instanceof Ruling.Unknown) {
      return "unknown";
    }
    return ruling instanceof Ruling.DidNotHappen ? "did-not-happen" : "no-store";
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
