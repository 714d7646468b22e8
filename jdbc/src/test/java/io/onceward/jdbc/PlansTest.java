package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.Reply;
import io.onceward.guard.ClaimTerms;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/**
 * Plans are cached when the table is nearly empty, and the table grows. A plan that reads all of it
 * would make each request slower than the one before.
 */
class PlansTest {
  private static final ClaimTerms TERMS = new ClaimTerms(60_000, 60_000);

  private final Bank bank = new Bank();

  @Test
  void nothingReadsTheWholeTableHoweverEmptyItWasAtFirst() throws SQLException {
    bank.run("VACUUM ANALYZE onceward_request");
    try (HikariDataSource pool = Bank.pool(bank.dataSource(), 1)) {
      OnceTransaction once = OnceTransaction.on(pool).build();
      JdbcClaimStore store = JdbcClaimStore.on(pool);
      requests(once, store, "warm", 20);
      long before = wholeReads(pool);
      requests(once, store, "counted", 20);
      assertThat(wholeReads(pool)).isEqualTo(before);
    }
  }

  private static void requests(OnceTransaction once, JdbcClaimStore store, String name, int count) {
    for (int i = 0; i < count; i++) {
      for (int copy = 0; copy < 2; copy++) {
        once.decide(asking(name + i), connection -> Reply.ok("done"));
        store.claim(asking(name + " outside " + i), TERMS);
      }
      store.unknown(asking(name + " outside " + i).id(), 1, "why");
      store.unknowns(10);
      store.rerun(asking(name + " outside " + i), 1, TERMS);
      store.done(asking(name + " outside " + i).id(), 2, Reply.ok("done"));
      store.done(asking(name + " outside " + i).id(), 1, Reply.ok("late"));
      store.evidence(asking(name + " outside " + i).id());
      store.sweep(10);
    }
  }

  private static long wholeReads(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      try (ResultSet row =
          statement.executeQuery(
              "SELECT seq_scan FROM pg_stat_user_tables"
                  + " WHERE relid = 'onceward_request'::regclass")) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
