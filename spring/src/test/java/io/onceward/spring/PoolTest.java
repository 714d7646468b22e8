package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.JdbcClaimStore;
import io.onceward.jdbc.Schema;
import io.onceward.testpostgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Effects outside that are called inside an open transaction, which holds a connection. */
class PoolTest {
  private static final int CONNECTIONS = 4;

  @Component
  static class Charges {
    private final AtomicInteger effects = new AtomicInteger();

    int effects() {
      return effects.get();
    }

    @Once(key = "#key", effect = Once.Effect.OUTSIDE)
    public String charge(String key) {
      return "charged " + effects.incrementAndGet();
    }
  }

  @Component
  static class Orders {
    private final Charges charges;
    private final JdbcTemplate jdbc;

    Orders(Charges charges, JdbcTemplate jdbc) {
      this.charges = charges;
      this.jdbc = jdbc;
    }

    @Transactional
    public String order(String key, CyclicBarrier all) throws Exception {
      jdbc.queryForObject("SELECT 1", Integer.class);
      if (all != null) {
        all.await(20, TimeUnit.SECONDS);
      }
      return charges.charge(key);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Charges.class, Orders.class})
  static class OnePool {}

  @Test
  void insideATransactionOfTheSamePoolTheyAreRefusedAndDoNothing() throws Exception {
    try (Running app = Running.onPostgres(OnePool.class)) {
      assertThatThrownBy(() -> app.bean(Orders.class).order("k", null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("onceward.jdbc.claim-data-source");
      assertThat(app.bean(Charges.class).effects()).isZero();
      assertThat(app.bean(Guard.class).unknowns(10)).isEmpty();
      assertThat(app.bean(Charges.class).charge("k")).isEqualTo("charged 1");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Charges.class, Orders.class})
  static class TwoPools {
    private static final PGSimpleDataSource DATABASE = PostgresServer.shared().freshDatabase();

    private static DataSource pool() {
      HikariDataSource pool = new HikariDataSource();
      pool.setDataSource(DATABASE);
      pool.setMaximumPoolSize(CONNECTIONS);
      return pool;
    }

    @Bean
    @Primary
    DataSource business() {
      return pool();
    }

    @Bean
    DataSource claims() {
      return pool();
    }
  }

  @Test
  void withAPoolOfTheirOwnNoneWaitsForAnother() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try (Running app =
        Running.onPostgres(
            TwoPools.DATABASE,
            TwoPools.class,
            "onceward.jdbc.create-schema=true",
            "onceward.jdbc.claim-data-source=claims")) {
      CyclicBarrier all = new CyclicBarrier(CONNECTIONS);
      List<CompletableFuture<String>> orders = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        String key = "k-" + i;
        orders.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return app.bean(Orders.class).order(key, all);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                },
                threads));
      }
      for (CompletableFuture<String> each : orders) {
        assertThat(each.get(25, TimeUnit.SECONDS)).startsWith("charged");
      }
      assertThat(app.bean(Charges.class).effects()).isEqualTo(CONNECTIONS);
    } finally {
      threads.shutdownNow();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Charges.class, Orders.class})
  static class AwarePool {
    @Bean(defaultCandidate = false)
    TransactionAwareDataSourceProxy aware(DataSource pool) {
      return new TransactionAwareDataSourceProxy(pool);
    }
  }

  /** Its connections are those of open transactions, which a claim must not commit. */
  @Test
  void aClaimDataSourceThatJoinsTransactionsIsTakenForThePoolBehindIt() {
    try (Running app =
        Running.onPostgres(AwarePool.class, "onceward.jdbc.claim-data-source=aware")) {
      JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
      jdbc.execute("CREATE TABLE written (n int)");
      TransactionTemplate transaction =
          new TransactionTemplate(app.bean(PlatformTransactionManager.class));

      assertThatThrownBy(
              () ->
                  transaction.execute(
                      status -> {
                        jdbc.update("INSERT INTO written VALUES (1)");
                        return app.bean(Charges.class).charge("k");
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("onceward.jdbc.claim-data-source");
      assertThat(app.count("written")).isZero();
      assertThat(app.count("onceward_request")).isZero();
      assertThat(app.bean(Charges.class).charge("k")).isEqualTo("charged 1");
    }
  }

  /** As docs/jdbc.md shows; so it is on the pool of the business SQL. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Charges.class, Orders.class})
  static class OwnStore {
    @Bean
    JdbcClaimStore mine(DataSource pool) {
      return JdbcClaimStore.on(pool);
    }

    @Bean
    Guard myGuard(ClaimStore store) {
      return Guard.on(store).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class OwnGuardOnTheStarters {
    @Bean
    Guard myGuard(JdbcClaimStore store) {
      return Guard.on(store).build();
    }
  }

  private static PGSimpleDataSource withTables() {
    PGSimpleDataSource database = PostgresServer.shared().freshDatabase();
    Schema.create(database);
    return database;
  }

  @Test
  void aStoreOfTheApplicationOnTheSamePoolIsRefusedToo() throws Exception {
    try (Running app = Running.onPostgres(withTables(), OwnStore.class)) {
      assertThatThrownBy(() -> app.bean(Orders.class).order("k", null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Charges.charge came inside an open transaction");
      assertThat(app.bean(Charges.class).effects()).isZero();
      assertThat(app.bean(Charges.class).charge("k")).isEqualTo("charged 1");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {OnePool.class, OwnStore.class, OwnGuardOnTheStarters.class})
  void guardsInsideATransactionOfTheSamePoolAreRefused(Class<?> application) {
    AtomicInteger effects = new AtomicInteger();
    Ask ask = new Ask(GuardedId.of(Key.text("k")), null, "charge", "");
    try (Running app = Running.onPostgres(withTables(), application)) {
      Guard guard = app.bean(Guard.class);
      TransactionTemplate transaction =
          new TransactionTemplate(app.bean(PlatformTransactionManager.class));
      Ruling inside =
          transaction.execute(
              status ->
                  guard.decide(
                      ask,
                      run -> {
                        effects.incrementAndGet();
                        return Reply.ok("done");
                      }));
      assertThat(inside)
          .isInstanceOfSatisfying(
              Ruling.NoStore.class,
              refused -> assertThat(refused.cause()).hasMessageContaining("open transaction"));
      assertThatThrownBy(() -> transaction.execute(status -> guard.unknowns(1)))
          .hasMessageContaining("open transaction");
      assertThat(effects).hasValue(0);

      assertThat(guard.decide(ask, run -> Reply.ok("done"))).isInstanceOf(Ruling.Replied.class);
    }
  }

  /** A connection is held also where no transaction is, for as long as the scope goes on. */
  @Test
  void aConnectionOfAScopeWithoutTransactionIsHeldToo() {
    try (Running app = Running.onPostgres(OnePool.class)) {
      TransactionTemplate supports =
          new TransactionTemplate(app.bean(PlatformTransactionManager.class));
      supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
      assertThatThrownBy(
              () ->
                  supports.execute(
                      status -> {
                        app.count("onceward_request");
                        return app.bean(Charges.class).charge("k");
                      }))
          .hasMessageContaining("open transaction");
      assertThat(app.bean(Charges.class).effects()).isZero();
    }
  }

  @Import(TwoPools.class)
  static class OwnStoreOfItsOwnPool {
    @Bean
    JdbcClaimStore mine(@Qualifier("claims") DataSource claims) {
      return JdbcClaimStore.on(claims);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"onceward.jdbc.claim-data-source=claims", "onceward.store=auto"})
  void aStoreOfTheApplicationOnAPoolOfItsOwnMayClaimInsideTransactions(String setting)
      throws Exception {
    Schema.create(TwoPools.DATABASE);
    String key = "own-" + setting;
    try (Running app = Running.onPostgres(TwoPools.DATABASE, OwnStoreOfItsOwnPool.class, setting)) {
      assertThat(app.bean(Orders.class).order(key, null)).isEqualTo("charged 1");
      assertThat(app.bean(Orders.class).order(key, null)).isEqualTo("charged 1");
    }
  }

  @Test
  void aClaimDataSourceThatTheStoreDoesNotUseStopsTheApplication() {
    Schema.create(TwoPools.DATABASE);
    assertThatThrownBy(
            () ->
                Running.onPostgres(
                        TwoPools.DATABASE,
                        OwnStoreOfItsOwnPool.class,
                        "onceward.jdbc.claim-data-source=business")
                    .close())
        .hasStackTraceContaining("onceward.jdbc.claim-data-source names business")
        .hasStackTraceContaining("a ClaimStore of its own");
  }
}
