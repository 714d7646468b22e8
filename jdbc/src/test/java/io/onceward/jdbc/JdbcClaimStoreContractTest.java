package io.onceward.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.guard.ClaimStore;
import io.onceward.testkit.stores.ClaimStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/**
 * Every sentence of {@link ClaimStore} and its races, on PostgreSQL and by its clock, which the
 * test moves: waiting would leave time for a few seeds only.
 */
class JdbcClaimStoreContractTest extends ClaimStoreContract {
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

  @Override
  protected int rounds() {
    return 5;
  }

  @Override
  protected int seeds() {
    return 200;
  }
}
