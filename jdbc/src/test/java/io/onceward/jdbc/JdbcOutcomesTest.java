package io.onceward.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.guard.ClaimStore;
import io.onceward.testkit.stores.OutcomeContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** PostgreSQL tells outcomes, abandons, releases replies and forgets as the others do. */
class JdbcOutcomesTest extends OutcomeContract {
  private static final HandMovedClock CLOCK = new HandMovedClock(new Bank());
  private static final HikariDataSource POOL = Bank.pool(CLOCK.dataSource(), 10);

  @AfterAll
  static void closePool() {
    POOL.close();
  }

  @Override
  protected ClaimStore freshStore() {
    CLOCK.reset();
    return JdbcClaimStore.on(POOL);
  }

  @Override
  protected void passTime(Duration atLeast) {
    CLOCK.pass(atLeast);
  }
}
