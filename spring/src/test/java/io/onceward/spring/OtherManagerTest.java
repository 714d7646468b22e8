package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.testpostgres.PostgresServer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications with several transaction managers or data sources. */
class OtherManagerTest {
  private static HikariDataSource pool(PGSimpleDataSource database, boolean autoCommit) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(database);
    pool.setAutoCommit(autoCommit);
    pool.setMaximumPoolSize(4);
    return pool;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Books.class, Plain.class})
  static class TwoDatabases {
    private static final PGSimpleDataSource A = PostgresServer.shared().freshDatabase();
    private static final PGSimpleDataSource B = PostgresServer.shared().freshDatabase();
    private static boolean autoCommit = true;

    @Bean
    @Primary
    DataSource business() {
      return pool(A, autoCommit);
    }

    @Bean
    DataSource other() {
      return pool(B, autoCommit);
    }

    @Bean
    @Primary
    PlatformTransactionManager own(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }

    /** Of another database; as well it could be a broker's. */
    @Bean
    PlatformTransactionManager foreign() {
      return new DataSourceTransactionManager(B);
    }
  }

  @Component
  static class Books {
    private final AtomicInteger runs = new AtomicInteger();
    private final JdbcTemplate jdbc;

    Books(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
      for (PGSimpleDataSource each : new PGSimpleDataSource[] {TwoDatabases.A, TwoDatabases.B}) {
        new JdbcTemplate(each).execute("CREATE TABLE IF NOT EXISTS book (k text)");
      }
    }

    String write(String key) {
      jdbc.update("INSERT INTO book VALUES (?)", key);
      return "booked in run " + runs.incrementAndGet();
    }
  }

  @Component
  static class Plain {
    private final Books books;

    Plain(Books books) {
      this.books = books;
    }

    @Once(key = "#key")
    public String plain(String key) {
      return books.write(key);
    }

    @Once(key = "#key")
    @Transactional
    public String transactional(String key) {
      return books.write(key);
    }
  }

  private static Running start(Class<?> application, String... properties) {
    String[] all = Arrays.copyOf(properties, properties.length + 1);
    all[properties.length] = "onceward.jdbc.create-schema=true";
    return Running.onPostgres(TwoDatabases.A, application, all);
  }

  private static int rows(String table, String where) {
    Integer count =
        new JdbcTemplate(TwoDatabases.A)
            .queryForObject("SELECT count(*) FROM " + table + " " + where, Integer.class);
    return count == null ? 0 : count;
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, false", "true, true", "false, true"})
  void underATransactionOfAnotherManagerItCommitsItsOwn(boolean autoCommit, boolean touched) {
    TwoDatabases.autoCommit = autoCommit;
    try (Running app = start(TwoDatabases.class)) {
      Plain books = app.bean(Plain.class);
      TransactionTemplate foreign =
          new TransactionTemplate(app.bean("foreign", PlatformTransactionManager.class));
      DataSource ours = app.bean("business", DataSource.class);
      String key = autoCommit + "-" + touched;
      for (int copy = 0; copy < 2; copy++) {
        foreign.executeWithoutResult(
            status -> {
              if (touched) {
                // Spring keeps it for the rest of the other transaction, which will not commit it.
                DataSourceUtils.getConnection(ours);
              }
              assertThat(books.plain(key)).isEqualTo("booked in run 1");
              assertThat(books.transactional(key)).isEqualTo("booked in run 2");
              status.setRollbackOnly();
            });
      }
      assertThat(rows("book", "WHERE k = '" + key + "'")).isEqualTo(2);
      assertThat(rows("onceward_request", "WHERE key_text = '" + key + "'")).isEqualTo(2);
    }
  }

  @Test
  void tablesInAnotherDatabaseThanTheTransactionStopTheApplication() {
    for (boolean autoCommit : new boolean[] {true, false}) {
      TwoDatabases.autoCommit = autoCommit;
      assertThatThrownBy(() -> start(TwoDatabases.class, "onceward.jdbc.data-source=other").close())
          .hasStackTraceContaining("is not on the data source that has Onceward's tables");
    }
  }

  @Import(TwoDatabases.class)
  static class ForeignMethod {
    @Once(key = "#key")
    @Transactional("foreign")
    public String pay(String key) {
      return key;
    }
  }

  @Import(TwoDatabases.class)
  @Transactional("foreign")
  static class ForeignClass {
    @Once(key = "#key")
    public String pay(String key) {
      return key;
    }
  }

  @Import(TwoDatabases.class)
  @Qualifier("foreign")
  static class ForeignByQualifier {
    @Once(key = "#key")
    @Transactional
    public String pay(String key) {
      return key;
    }
  }

  /** Its method says nothing, so Spring takes the primary manager, and Onceward another. */
  @Import(TwoDatabases.class)
  static class ForeignByDefault {
    @Bean
    static PlatformTransactionManager ofOther(@Qualifier("other") DataSource other) {
      return new DataSourceTransactionManager(other);
    }

    @Once(key = "#key")
    @Transactional
    public String pay(String key) {
      return key;
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ForeignMethod.class,
        ForeignClass.class,
        ForeignByQualifier.class,
        ForeignByDefault.class
      })
  void aMethodWithAnotherManagerThanOncewardsStopsTheApplication(Class<?> application) {
    String[] settings =
        application == ForeignByDefault.class
            ? new String[] {
              "onceward.jdbc.data-source=other", "onceward.jdbc.transaction-manager=ofOther"
            }
            : new String[0];
    assertThatThrownBy(() -> start(application, settings).close())
        .hasStackTraceContaining("the manager of its @Transactional is not the one");
  }

  /** All that may be named: the same, one on the same data source, and any for effects outside. */
  @Import(TwoDatabases.class)
  static class Proper {
    @Bean
    static PlatformTransactionManager twin(DataSource dataSource) {
      return new DataSourceTransactionManager(dataSource);
    }

    @Once(key = "#key")
    @Transactional("own")
    public String named(String key) {
      return "named " + key;
    }

    @Once(key = "#key")
    @Transactional("twin")
    public String twin(String key) {
      return "twin " + key;
    }

    @Once(key = "#key", effect = Once.Effect.OUTSIDE)
    @Transactional("foreign")
    public String outside(String key) {
      return "outside " + key;
    }
  }

  @Test
  void aManagerThatFitsIsAccepted() {
    try (Running app = start(Proper.class)) {
      Proper proper = app.bean(Proper.class);
      assertThat(proper.named("k")).isEqualTo("named k");
      assertThat(proper.twin("k")).isEqualTo("twin k");
      assertThat(proper.outside("k")).isEqualTo("outside k");
    }
  }

  /** Begins and commits nothing that has to do with a database. */
  static class Elsewhere extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithoutConnection {
    @Bean
    PlatformTransactionManager elsewhere() {
      return new Elsewhere();
    }

    @Bean
    Guarded guarded() {
      return new Guarded();
    }
  }

  static class Guarded {
    @Once(key = "#key")
    public String pay(String key) {
      return key;
    }
  }

  @Test
  void aManagerWhoseConnectionCannotBeSeenStopsTheApplication() {
    for (boolean autoCommit : new boolean[] {true, false}) {
      assertThatThrownBy(
              () ->
                  Running.onPostgres(
                          WithoutConnection.class,
                          "spring.datasource.hikari.auto-commit=" + autoCommit)
                      .close())
          .hasStackTraceContaining("is not on the data source that has Onceward's tables");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Unsynchronized {
    @Bean
    PlatformTransactionManager own(DataSource dataSource) {
      DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
      manager.setTransactionSynchronization(
          AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
      return manager;
    }

    @Bean
    Guarded guarded() {
      return new Guarded();
    }
  }

  @Test
  void aManagerThatTellsNobodyOfItsCommitsStopsTheApplication() {
    assertThatThrownBy(() -> Running.onPostgres(Unsynchronized.class).close())
        .hasStackTraceContaining("its synchronization switched off");
  }
}
