package io.onceward.crash.child;

import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.crash.PlantedBug;
import io.onceward.crash.Step;
import io.onceward.crash.bank.Transfer;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Transfers as business SQL with a table of processed requests, as it is often done. */
final class BuggySqlWorker implements Worker {
  private final PlantedBug bug;
  private final PGSimpleDataSource source;
  private final Stops stops;
  private @Nullable Connection open;

  BuggySqlWorker(PlantedBug bug, PGSimpleDataSource source, Stops stops) {
    this.bug = bug;
    this.source = source;
    this.stops = stops;
  }

  @Override
  public void prepare() throws SQLException {
    open = source.getConnection();
    open.setAutoCommit(false);
  }

  @Override
  public String run(Key key, Transfer transfer) throws SQLException {
    Connection connection = open;
    if (connection == null) {
      throw new IllegalStateException("not prepared");
    }
    // What was answered before is committed now, where that is the mistake.
    connection.commit();
    Processed processed = new Processed(connection);
    stops.reach(Step.CLAIM_BEFORE);
    Reply known = processed.find(transfer.request());
    if (known != null) {
      connection.rollback();
      return Worker.replied(known, true, false);
    }
    if (bug == PlantedBug.CLAIMS_BEFORE_THE_TRANSACTION) {
      processed.add(transfer.request(), Reply.ok("already processed"));
      connection.commit();
    }
    stops.reach(Step.CLAIM_AFTER);
    Reply reply = TransactionWorker.move(connection, transfer, stops);
    if (bug == PlantedBug.RECORDS_AFTER_THE_TRANSACTION) {
      stops.reach(Step.COMMIT_BEFORE);
      connection.commit();
      stops.reach(Step.COMMIT_AFTER);
    }
    processed.add(transfer.request(), reply);
    if (bug != PlantedBug.ANSWERS_BEFORE_THE_COMMIT) {
      connection.commit();
    }
    return Worker.replied(reply, false, false);
  }
}
