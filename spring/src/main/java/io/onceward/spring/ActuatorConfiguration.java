package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Metrics, health and the queue of unknown requests, where Micrometer and Actuator are. */
@Configuration(proxyBeanMethods = false)
class ActuatorConfiguration {
  @Bean
  Pulse oncewardPulse(ClaimStore store) {
    return new Pulse(store);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
  static class Micrometer {
    @Bean
    GuardListener oncewardMetrics(
        ObjectProvider<io.micrometer.core.instrument.MeterRegistry> registry) {
      return new RequestMetrics(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @ConditionalOnProperty(name = "management.health.onceward.enabled", matchIfMissing = true)
  static class Boot3Health {
    @Bean
    @ConditionalOnMissingBean(name = "oncewardHealthIndicator")
    HealthOfBoot3 oncewardHealthIndicator(Pulse pulse) {
      return new HealthOfBoot3(pulse);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnProperty(name = "management.health.onceward.enabled", matchIfMissing = true)
  static class Boot4Health {
    @Bean
    @ConditionalOnMissingBean(name = "oncewardHealthIndicator")
    HealthOfBoot4 oncewardHealthIndicator(Pulse pulse) {
      return new HealthOfBoot4(pulse);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
  static class Queue {
    @Bean
    @ConditionalOnMissingBean
    UnknownsEndpoint oncewardEndpoint(
        OncewardAutoConfiguration.GuardOfMethods methods,
        Guarantees guarantees,
        SaidReplies replies) {
      return new UnknownsEndpoint(methods.guard(), guarantees, replies);
    }
  }
}
