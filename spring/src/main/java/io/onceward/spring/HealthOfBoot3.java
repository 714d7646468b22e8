package io.onceward.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** {@link Pulse} in the words of Spring Boot 3. */
final class HealthOfBoot3 implements HealthIndicator {
  private final Pulse pulse;

  HealthOfBoot3(Pulse pulse) {
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
