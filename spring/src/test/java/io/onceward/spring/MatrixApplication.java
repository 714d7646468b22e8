package io.onceward.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What {@link MatrixTest} calls: writes by JPA if the application has it, and by JDBC otherwise.
 * The same in the process of the test and in one that is killed.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({MatrixApplication.Script.class, MatrixApplication.Caller.class})
class MatrixApplication {
  static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  @Entity
  @Table(name = "entry")
  static class Entry {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String request;
    String writer;

    protected Entry() {}

    Entry(String request, String writer) {
      this.request = request;
      this.writer = writer;
    }
  }

  /** Where the foreign manager's transactions are: another database, as well a broker. */
  record Elsewhere(DataSource dataSource) {}

  @Bean
  Elsewhere elsewhere(@Value("${matrix.elsewhere}") String url) {
    PGSimpleDataSource other = new PGSimpleDataSource();
    other.setUrl(url);
    other.setUser("postgres");
    return new Elsewhere(other);
  }

  @Bean
  @Primary
  static PlatformTransactionManager own(
      DataSource dataSource, ObjectProvider<EntityManagerFactory> jpa) {
    EntityManagerFactory factory = jpa.getIfAvailable();
    return factory == null
        ? new DataSourceTransactionManager(dataSource)
        : new JpaTransactionManager(factory);
  }

  @Bean
  static PlatformTransactionManager foreign(Elsewhere elsewhere) {
    return new DataSourceTransactionManager(elsewhere.dataSource());
  }

  /** What is to happen in a method after its write, and how often it ran for which request. */
  static class Script {
    final Map<String, Integer> runs = new ConcurrentHashMap<>();
    volatile Consumer<String> during = key -> {};
    volatile String process = "the first process";
  }

  /** The writes of the method. */
  static class Ledger {
    private final Script script;
    private final JdbcTemplate jdbc;
    private final EntityManager entities;

    /**
     * @param entities null for JDBC
     */
    Ledger(Script script, JdbcTemplate jdbc, EntityManager entities) {
      this.script = script;
      this.jdbc = jdbc;
      this.entities = entities;
    }

    String book(String key) {
      int run = script.runs.merge(key, 1, Integer::sum);
      if (entities == null) {
        jdbc.update("INSERT INTO entry (request, writer) VALUES (?, 'method')", key);
      } else {
        entities.persist(new Entry(key, "method"));
      }
      script.during.accept(key);
      String level =
          jdbc.queryForObject("SELECT current_setting('transaction_isolation')", String.class);
      return key + ": booked at " + level + " in run " + run + " of " + script.process;
    }

    /** What JPA leaves to the end of the method, so that there is something to undo. */
    void send() {
      if (entities != null) {
        entities.flush();
      }
    }
  }

  @Bean
  Ledger ledger(Script script, JdbcTemplate jdbc, ObjectProvider<EntityManagerFactory> jpa) {
    EntityManagerFactory factory = jpa.getIfAvailable();
    return new Ledger(
        script,
        jdbc,
        factory == null ? null : SharedEntityManagerCreator.createSharedEntityManager(factory));
  }

  /** One method for each level of isolation. */
  static class Books {
    private final Ledger ledger;

    Books(Ledger ledger) {
      this.ledger = ledger;
    }

    @Once(key = "#key", businessErrors = Declined.class)
    @Transactional(isolation = Isolation.READ_COMMITTED)
    public String readCommitted(String key) {
      return ledger.book(key);
    }

    @Once(key = "#key", businessErrors = Declined.class)
    @Transactional(isolation = Isolation.REPEATABLE_READ)
    public String repeatableRead(String key) {
      return ledger.book(key);
    }

    @Once(key = "#key", businessErrors = Declined.class)
    @Transactional(isolation = Isolation.SERIALIZABLE)
    public String serializable(String key) {
      return ledger.book(key);
    }
  }

  @Bean
  Books books(Ledger ledger) {
    return new Books(ledger);
  }

  /** Calls the method as a cell says, and puts in words what it is told. */
  static class Caller {
    private final Books books;
    private final JdbcTemplate jdbc;
    private final Elsewhere elsewhere;
    private final PlatformTransactionManager own;
    private final PlatformTransactionManager foreign;

    Caller(
        Books books,
        JdbcTemplate jdbc,
        Elsewhere elsewhere,
        PlatformTransactionManager own,
        @Qualifier("foreign") PlatformTransactionManager foreign) {
      this.books = books;
      this.jdbc = jdbc;
      this.elsewhere = elsewhere;
      this.own = own;
      this.foreign = foreign;
    }

    String call(MatrixCell cell) {
      try {
        return switch (cell.transaction()) {
          case OWN -> book(cell);
          case JOINED -> joined(cell);
          case OTHER_MANAGER ->
              within(
                  foreign,
                  cell,
                  () -> {
                    new JdbcTemplate(elsewhere.dataSource())
                        .update(
                            "INSERT INTO entry (request, writer) VALUES (?, 'outer')", cell.key());
                    return book(cell);
                  });
        };
      } catch (UnexpectedRollbackException e) {
        return MatrixCell.ROLLED_BACK;
      } catch (CannotCreateTransactionException e) {
        return e.toString();
      } catch (TransactionException | DataAccessException e) {
        return MatrixCell.COMMIT_FAILED;
      } catch (RuntimeException e) {
        return told(e);
      }
    }

    /** The owner bears a business error, and commits. */
    private String joined(MatrixCell cell) {
      return within(
          own,
          cell,
          () -> {
            jdbc.update("INSERT INTO entry (request, writer) VALUES (?, 'outer')", cell.key());
            try {
              return book(cell);
            } catch (Declined e) {
              return told(e);
            }
          });
    }

    private static String told(RuntimeException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private static String within(
        PlatformTransactionManager manager, MatrixCell cell, Supplier<String> what) {
      TransactionTemplate template = new TransactionTemplate(manager);
      template.setIsolationLevel(cell.isolation().value());
      return template.execute(status -> what.get());
    }

    private String book(MatrixCell cell) {
      return switch (cell.isolation()) {
        case READ_COMMITTED -> books.readCommitted(cell.key());
        case REPEATABLE_READ -> books.repeatableRead(cell.key());
        case SERIALIZABLE -> books.serializable(cell.key());
        default -> throw new IllegalArgumentException(cell.key());
      };
    }
  }
}
