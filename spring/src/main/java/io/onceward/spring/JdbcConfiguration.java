package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardListener;
import io.onceward.jdbc.JdbcClaimStore;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.OnceTransactionBuilder;
import io.onceward.jdbc.Schema;
import io.onceward.jdbc.Sweeper;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** The database, where there is one: exactly-once in transactions, and claims that survive. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(
    name = {
      "org.springframework.jdbc.datasource.DataSourceUtils",
      "org.springframework.transaction.support.TransactionTemplate"
    })
@ConditionalOnBean(DataSource.class)
@Conditional(JdbcConfiguration.NotInMemory.class)
class JdbcConfiguration {
  /** The data source, with its tables made or found. */
  record Database(DataSource dataSource) {}

  /** After Flyway, Liquibase and schema.sql, which may make the tables. */
  @Bean
  @DependsOnDatabaseInitialization
  Database oncewardDatabase(
      OncewardProperties properties, ObjectProvider<DataSource> dataSources, BeanFactory beans) {
    DataSource dataSource =
        one(
            "data source",
            "onceward.jdbc.data-source",
            properties.jdbc().dataSource(),
            dataSources,
            DataSource.class,
            beans);
    try {
      if (properties.jdbc().createSchema()) {
        Schema.create(dataSource);
      } else {
        Schema.validate(dataSource);
      }
    } catch (IllegalStateException e) {
      throw new UnfitDatabaseException(String.valueOf(e.getMessage()), e);
    }
    return new Database(dataSource);
  }

  @Bean
  @ConditionalOnMissingBean(ClaimStore.class)
  JdbcClaimStore oncewardJdbcStore(Database database) {
    return JdbcClaimStore.on(database.dataSource());
  }

  @Bean
  @ConditionalOnMissingBean
  OnceTransaction oncewardTransaction(
      Database database, OncewardProperties properties, ObjectProvider<GuardListener> listeners) {
    OnceTransactionBuilder builder =
        OnceTransaction.on(database.dataSource())
            .retention(properties.retention())
            .waitAtMost(properties.waitAtMost())
            .attempts(properties.jdbc().attempts())
            .classify(Ended::meaningOf)
            .businessReply(Ended::errorOf)
            .listener(OncewardAutoConfiguration.heardBy(listeners));
    if (properties.maxReplySize() != null) {
      builder.maxReplyBytes((int) properties.maxReplySize().toBytes());
    }
    return builder.build();
  }

  @Bean
  TransactionHome oncewardTransactionHome(
      OnceTransaction once,
      Database database,
      OncewardProperties properties,
      ObjectProvider<PlatformTransactionManager> managers,
      ObjectProvider<TransactionAttributeSource> attributes,
      BeanFactory beans) {
    return new TransactionHome(
        once,
        database.dataSource(),
        one(
            "transaction manager",
            "onceward.jdbc.transaction-manager",
            properties.jdbc().transactionManager(),
            managers,
            PlatformTransactionManager.class,
            beans),
        attributes.getIfAvailable(AnnotationTransactionAttributeSource::new));
  }

  /** Cleans up while the application runs, unless that is switched off. */
  record Sweeping(@Nullable Sweeper sweeper) implements AutoCloseable {
    @Override
    public void close() {
      if (sweeper != null) {
        sweeper.close();
      }
    }
  }

  @Bean
  Sweeping oncewardSweeper(Database database, OncewardProperties properties) {
    Duration every = properties.jdbc().sweepEvery();
    return new Sweeping(every.isZero() ? null : Sweeper.start(database.dataSource(), every));
  }

  /** The named one, or the only or primary one. */
  private static <T> T one(
      String what,
      String property,
      @Nullable String name,
      ObjectProvider<T> all,
      Class<T> type,
      BeanFactory beans) {
    if (name != null) {
      return beans.getBean(name, type);
    }
    T only = all.getIfUnique();
    if (only == null) {
      throw new IllegalStateException(
          "Onceward needs one "
              + what
              + ", and there are several and none of them primary, or none at all. Name its bean by "
              + property
              + ", or set onceward.store to memory.");
    }
    return only;
  }

  /** Unless {@code onceward.store} is {@code memory}. */
  static final class NotInMemory implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return Binder.get(context.getEnvironment())
              .bind("onceward.store", OncewardProperties.Store.class)
              .orElse(OncewardProperties.Store.AUTO)
          != OncewardProperties.Store.MEMORY;
    }
  }
}
