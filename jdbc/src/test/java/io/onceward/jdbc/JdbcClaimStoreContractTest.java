package io.onceward.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.guard.ClaimStore;
import io.onceward.testkit.stores.ClaimStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** Every sentence of {@link ClaimStore} and its races, on PostgreSQL and by its clock. */
class JdbcClaimStoreContractTest extends ClaimStoreContract {
  private static final Bank BANK = new Bank();
  private static final HikariDataSource POOL = Bank.pool(BANK.dataSource(), 10);

  @AfterAll
  static void closePool() {
    POOL.close();
  }

  @Override
  protected ClaimStore freshStore() {
    BANK.run("TRUNCATE onceward_request, onceward_evidence");
    BANK.run("UPDATE onceward_horizon SET dated = -1");
    return JdbcClaimStore.on(POOL);
  }

  @Override
  protected void passTime(Duration atLeast) {
    BANK.ask("SELECT pg_sleep(" + atLeast.toNanos() / 1e9 + ")");
  }

  @Override
  protected int rounds() {
    return 5;
  }

  @Override
  protected int seeds() {
    return 3;
  }
}
