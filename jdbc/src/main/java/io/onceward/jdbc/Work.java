package io.onceward.jdbc;

import io.onceward.Reply;
import java.sql.Connection;

/** Business SQL that is to happen once, and what it answers. */
@FunctionalInterface
public interface Work {
  /**
   * Runs in the transaction that also holds the claim and the reply. It may run several times
   * before one of its transactions commits (after a deadlock, a serialization failure, a lost
   * connection), so whatever it does beside SQL on this connection is not covered.
   *
   * <p>A business error may be returned as a reply or thrown and classified ({@link
   * io.onceward.guard.Meaning#BUSINESS_ERROR}); either way the writes of this run are undone and
   * the error is remembered. Any other exception rolls everything back and leaves no memory.
   *
   * @param connection of the transaction. It cannot be committed, rolled back or closed from here;
   *     savepoints of one's own are fine.
   */
  Reply run(Connection connection) throws Exception;
}
