package io.onceward.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about a database that Onceward cannot work with, in place of a stack trace. */
final class UnfitDatabaseAnalyzer extends AbstractFailureAnalyzer<UnfitDatabaseException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, UnfitDatabaseException cause) {
    return new FailureAnalysis(
        "Onceward cannot remember requests in this database: " + cause.getMessage(),
        """
        One of:
          - set onceward.jdbc.create-schema=true, and the tables are made at the start;
          - make them with your migrations: for Flyway, add classpath:db/onceward to
            spring.flyway.locations; the SQL is io/onceward/jdbc/postgresql.sql;
          - set onceward.store=memory, if it is enough to remember within this process.""",
        cause);
  }
}
