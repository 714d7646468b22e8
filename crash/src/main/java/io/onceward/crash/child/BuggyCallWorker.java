package io.onceward.crash.child;

import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.crash.Step;
import io.onceward.crash.bank.Transfer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Transfers at the outside bank that are remembered once they have happened, and not before. */
final class BuggyCallWorker implements Worker {
  private final PGSimpleDataSource source;
  private final BankCall bank;
  private final Stops stops;
  private @Nullable Connection open;

  BuggyCallWorker(PGSimpleDataSource source, BankCall bank, Stops stops) {
    this.source = source;
    this.bank = bank;
    this.stops = stops;
  }

  @Override
  public void prepare() throws SQLException {
    open = source.getConnection();
  }

  @Override
  public String run(Key key, Transfer transfer) throws SQLException, IOException {
    if (open == null) {
      throw new IllegalStateException("not prepared");
    }
    Processed processed = new Processed(open);
    Reply known = processed.find(transfer.request());
    if (known != null) {
      return Worker.replied(known, true, false);
    }
    Reply reply = bank.transfer(transfer, 1);
    stops.reach(Step.DONE_BEFORE);
    processed.add(transfer.request(), reply);
    stops.reach(Step.DONE_AFTER);
    return Worker.replied(reply, false, false);
  }
}
