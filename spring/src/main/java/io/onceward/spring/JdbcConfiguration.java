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
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

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
        unwrapped(
            one(
                "data source",
                "onceward.jdbc.data-source",
                properties.jdbc().dataSource(),
                dataSources,
                DataSource.class,
                beans));
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

  /**
   * What is behind a proxy that hands out the connections of open transactions. Managers bind them
   * under that; and a claim must not commit what others have begun.
   */
  private static DataSource unwrapped(DataSource dataSource) {
    DataSource real = dataSource;
    while (real instanceof TransactionAwareDataSourceProxy proxy
        && proxy.getTargetDataSource() != null) {
      real = proxy.getTargetDataSource();
    }
    return real;
  }

  @Bean
  @ConditionalOnMissingBean(ClaimStore.class)
  JdbcClaimStore oncewardJdbcStore(Claims claims) {
    return JdbcClaimStore.on(new ClaimsPool(claims.dataSource()));
  }

  /** Where claims are made: in a pool of their own if one is named. */
  record Claims(DataSource dataSource) {}

  @Bean
  Claims oncewardClaims(Database database, OncewardProperties properties, BeanFactory beans) {
    String name = properties.jdbc().claimDataSource();
    if (name == null) {
      return new Claims(database.dataSource());
    }
    DataSource own = unwrapped(beans.getBean(name, DataSource.class));
    try {
      Schema.validate(own);
    } catch (IllegalStateException e) {
      throw new UnfitDatabaseException(String.valueOf(e.getMessage()), e);
    }
    return new Claims(own);
  }

  /**
   * What {@link Once} runs on. It knows what the exceptions of methods mean and how they are
   * remembered, so one of the application's own, for code of its own, does not replace it.
   */
  record TransactionsOfMethods(OnceTransaction once) {}

  @Bean
  TransactionsOfMethods oncewardTransactionsOfMethods(
      Database database, OncewardProperties properties, ObjectProvider<GuardListener> listeners) {
    OnceTransactionBuilder builder =
        OnceTransaction.on(database.dataSource())
            .retention(properties.retention())
            .waitAtMost(properties.waitAtMost())
            .attempts(properties.jdbc().attempts())
            .datedOnly(DatedOnly.of(properties))
            .classify(Ended::meaningOf)
            .businessReply(Ended::errorOf)
            .listener(OncewardAutoConfiguration.heardBy(listeners));
    if (properties.maxReplySize() != null) {
      builder.maxReplyBytes((int) properties.maxReplySize().toBytes());
    }
    return new TransactionsOfMethods(builder.build());
  }

  /** The same for code of the application's, unless it has one of its own. */
  @Bean
  @ConditionalOnMissingBean
  OnceTransaction oncewardTransaction(TransactionsOfMethods methods) {
    return methods.once();
  }

  @Bean
  TransactionHome oncewardTransactionHome(
      TransactionsOfMethods methods,
      Database database,
      OncewardProperties properties,
      ObjectProvider<PlatformTransactionManager> managers,
      ObjectProvider<TransactionAttributeSource> attributes,
      ObjectProvider<TransactionInterceptor> advice,
      BeanFactory beans) {
    PlatformTransactionManager manager =
        one(
            "transaction manager",
            "onceward.jdbc.transaction-manager",
            properties.jdbc().transactionManager(),
            managers,
            PlatformTransactionManager.class,
            beans);
    return new TransactionHome(
        methods.once(),
        new ManagedTransactions(manager, database.dataSource()),
        attributes.getIfAvailable(AnnotationTransactionAttributeSource::new),
        new ManagerOfMethods(beans, advice.getIfUnique()));
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
