package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import io.onceward.jdbc.JdbcClaimStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Keeps claims away from connections of open transactions, whoever made the store: the starter, or
 * the application on the pool of its business SQL.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
    name = {
      "org.springframework.jdbc.datasource.DataSourceUtils",
      "org.springframework.transaction.support.TransactionTemplate"
    })
class ClaimsConfiguration {
  /** At the store, so that it holds for every guard on it: of methods, routes and applications. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static BeanPostProcessor oncewardClaimsOutside() {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof JdbcClaimStore store && !(store.dataSource() instanceof ClaimsPool)
            ? JdbcClaimStore.on(new ClaimsPool(store.dataSource()))
            : bean;
      }
    };
  }

  @Bean
  GuardHome.Entrance oncewardClaimsEntrance(
      ClaimStore store, OncewardProperties properties, BeanFactory beans) {
    @Nullable ClaimsPool pool =
        store instanceof JdbcClaimStore jdbc ? new ClaimsPool(jdbc.dataSource()) : null;
    String named = properties.jdbc().claimDataSource();
    if (named != null && properties.store() != OncewardProperties.Store.MEMORY) {
      DataSource wanted = ClaimsPool.behind(beans.getBean(named, DataSource.class));
      if (pool == null || pool.getTargetDataSource() != wanted) {
        throw new IllegalStateException(
            "onceward.jdbc.claim-data-source names "
                + named
                + ", but the application has a ClaimStore of its own, which is not on that data"
                + " source. Make claims there, or remove one of the two.");
      }
    }
    return method -> {
      if (pool != null) {
        pool.refuseIfHeld("@Once(effect = OUTSIDE) on " + method.operation());
      }
    };
  }
}
