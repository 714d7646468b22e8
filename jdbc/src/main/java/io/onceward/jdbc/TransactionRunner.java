package io.onceward.jdbc;

import io.onceward.guard.Ruling;
import java.sql.Connection;

/**
 * Begins and commits transactions for {@link OnceTransaction}, where something else than plain JDBC
 * manages them: Spring, for example.
 */
@FunctionalInterface
public interface TransactionRunner {
  /**
   * Begins a <em>new</em> transaction, calls {@code inside} with its connection, commits if that
   * returns and rolls back if it throws. What {@code inside} throws must come out, as it is or as a
   * cause. A commit that fails must throw, with the driver's exception among the causes.
   *
   * @return what {@code inside} returned
   */
  Ruling run(Inside inside) throws Exception;

  /** What happens in the transaction. */
  @FunctionalInterface
  interface Inside {
    Ruling decide(Connection connection) throws Exception;
  }
}
