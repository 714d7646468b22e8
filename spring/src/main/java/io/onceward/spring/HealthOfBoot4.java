package io.onceward.spring;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** {@link Pulse} in the words of Spring Boot 4. */
final class HealthOfBoot4 implements HealthIndicator {
  private final Pulse pulse;

  HealthOfBoot4(Pulse pulse) {
    this.pulse = pulse;
  }

  @Override
  public Health health() {
    try {
      return Health.up().withDetails(pulse.details()).build();
    } catch (RuntimeException e) {
      return Health.down(e).build();
    }
  }
}
