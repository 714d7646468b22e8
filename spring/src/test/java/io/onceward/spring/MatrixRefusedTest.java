package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.onceward.jdbc.Schema;
import io.onceward.testpostgres.PostgresServer;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.DefaultJpaDialect;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * The combinations that {@link MatrixTest} lacks: the application does not start with them, by JPA
 * or by JDBC.
 */
class MatrixRefusedTest {
  /** Why, in the words of the message, and what a user would have written. */
  private record Refused(String why, Class<?> application, String... settings) {}

  private static final String APART =
      "the propagation of its @Transactional keeps its writes out of the transaction";

  private static final String NOT_THE_SAME = "the manager of its @Transactional is not the one";
  private static final String NOT_THERE = "is not on the data source that has Onceward's tables";

  private static final List<Refused> REFUSED =
      List.of(
          new Refused("its transaction is read-only", ReadOnly.class),
          new Refused(APART, RequiresNew.class),
          new Refused(APART, Mandatory.class),
          new Refused(APART, Never.class),
          new Refused(APART, NotSupported.class),
          new Refused(NOT_THE_SAME, OfAnotherManager.class),
          new Refused(NOT_THERE, Managers.class, "onceward.jdbc.transaction-manager=foreign"),
          new Refused(NOT_THERE, Managers.class, "onceward.jdbc.data-source=other"),
          new Refused(
              "its synchronization switched off",
              Managers.class,
              "onceward.jdbc.transaction-manager=silent"));

  private static final Refused REFUSED_OF_JPA =
      new Refused(NOT_THERE, Managers.class, "onceward.jdbc.transaction-manager=hiding");

  @Import(MatrixApplication.class)
  static class ReadOnly {
    @Once(key = "#key")
    @Transactional(readOnly = true)
    public String book(String key) {
      return key;
    }
  }

  @Import(MatrixApplication.class)
  static class RequiresNew {
    @Once(key = "#key")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String book(String key) {
      return key;
    }
  }

  @Import(MatrixApplication.class)
  static class Mandatory {
    @Once(key = "#key")
    @Transactional(propagation = Propagation.MANDATORY)
    public String book(String key) {
      return key;
    }
  }

  @Import(MatrixApplication.class)
  static class Never {
    @Once(key = "#key")
    @Transactional(propagation = Propagation.NEVER)
    public String book(String key) {
      return key;
    }
  }

  @Import(MatrixApplication.class)
  static class NotSupported {
    @Once(key = "#key")
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    public String book(String key) {
      return key;
    }
  }

  @Import(MatrixApplication.class)
  static class OfAnotherManager {
    @Once(key = "#key")
    @Transactional("foreign")
    public String book(String key) {
      return key;
    }
  }

  /** Managers and data sources of which a setting may name the wrong one. */
  @Import(MatrixApplication.class)
  static class Managers {
    @Bean(defaultCandidate = false)
    static DataSource other(MatrixApplication.Elsewhere elsewhere) {
      return elsewhere.dataSource();
    }

    /** Tells nobody of its commits. */
    @Bean
    static PlatformTransactionManager silent(
        DataSource dataSource, ObjectProvider<EntityManagerFactory> jpa) {
      EntityManagerFactory factory = jpa.getIfAvailable();
      AbstractPlatformTransactionManager manager =
          factory == null
              ? new DataSourceTransactionManager(dataSource)
              : new JpaTransactionManager(factory);
      manager.setTransactionSynchronization(
          AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
      return manager;
    }

    /** Does not show its connection to JDBC; of JPA only. */
    @Bean
    static PlatformTransactionManager hiding(
        DataSource dataSource, ObjectProvider<EntityManagerFactory> jpa) {
      EntityManagerFactory factory = jpa.getIfAvailable();
      if (factory == null) {
        return new DataSourceTransactionManager(dataSource);
      }
      return new Hiding(factory);
    }

    private static final class Hiding extends JpaTransactionManager {
      private static final long serialVersionUID = 1L;

      Hiding(EntityManagerFactory factory) {
        super(factory);
      }

      /** After it has taken the dialect of its factory. */
      @Override
      public void afterPropertiesSet() {
        super.afterPropertiesSet();
        setJpaDialect(new DefaultJpaDialect());
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> whatCannotBeRightStopsTheApplication() {
    PGSimpleDataSource database = withTables();
    PGSimpleDataSource elsewhere = withTables();
    List<DynamicTest> all = new ArrayList<>();
    for (boolean jpa : new boolean[] {false, true}) {
      for (Refused each : REFUSED) {
        all.add(refused(each, jpa, database, elsewhere));
      }
    }
    all.add(refused(REFUSED_OF_JPA, true, database, elsewhere));
    return all.stream();
  }

  private static DynamicTest refused(
      Refused refused, boolean jpa, PGSimpleDataSource database, PGSimpleDataSource elsewhere) {
    List<String> settings = new ArrayList<>(List.of(refused.settings()));
    String name =
        (jpa ? "JPA: " : "JDBC: ") + refused.application().getSimpleName() + " " + settings;
    settings.add("matrix.elsewhere=" + elsewhere.getURL());
    return dynamicTest(
        name,
        () ->
            assertThatThrownBy(
                    () ->
                        Running.withoutWebOn(
                                database,
                                jpa,
                                refused.application(),
                                settings.toArray(new String[0]))
                            .close())
                .hasStackTraceContaining("@Once on ")
                .hasStackTraceContaining(refused.why()));
  }

  private static PGSimpleDataSource withTables() {
    PGSimpleDataSource database = PostgresServer.shared().freshDatabase();
    Schema.create(database);
    return database;
  }
}
