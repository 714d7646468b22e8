package io.onceward.crash.child;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.crash.Step;
import io.onceward.crash.Step.Phase;
import io.onceward.crash.bank.Movement;
import io.onceward.crash.bank.Transfer;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Transfers as business SQL, once each by {@link OnceTransaction}. */
final class TransactionWorker implements Worker {
  private final PGSimpleDataSource source;
  private final Stops stops;
  private @Nullable OnceTransaction once;

  TransactionWorker(PGSimpleDataSource source, Stops stops) {
    this.source = source;
    this.stops = stops;
  }

  @Override
  public void prepare() throws SQLException {
    once = OnceTransaction.on(LaneDataSource.of(source, stops, TransactionWorker::phaseOf)).build();
  }

  /** The statements of the transaction that are not the business's own. */
  private static @Nullable Phase phaseOf(String sql) {
    if (!sql.contains("ONCEWARD_REQUEST")) {
      return null;
    }
    return sql.endsWith("COMMIT") ? Phase.COMMIT : Phase.CLAIM;
  }

  @Override
  public String run(Key key, Transfer transfer) {
    if (once == null) {
      throw new IllegalStateException("not prepared");
    }
    Ruling ruling =
        once.decide(ask(key, transfer), connection -> move(connection, transfer, stops));
    return Rulings.line(ruling, false);
  }

  static Ask ask(Key key, Transfer transfer) {
    Bytes what = transfer.encode();
    return new Ask(
        GuardedId.of("crash", key), Fingerprint.ofPayload(what), "transfer", transfer.request());
  }

  /** The business: two balances and a line in the book. */
  static Reply move(Connection connection, Transfer transfer, Stops stops) throws SQLException {
    stops.enter(Phase.WORK);
    Long left =
        number(
            connection,
            "UPDATE account SET balance = balance - ? WHERE name = ? AND balance >= ?"
                + " RETURNING balance",
            transfer.amount(),
            transfer.source(),
            transfer.amount());
    stops.enter(null);
    if (left == null) {
      Long balance =
          number(connection, "SELECT balance FROM account WHERE name = ?", transfer.source());
      return Reply.businessError(transfer.declined(balance == null ? 0 : balance));
    }
    stops.reach(Step.WORK_BETWEEN);
    number(
        connection,
        "UPDATE account SET balance = balance + ? WHERE name = ? RETURNING balance",
        transfer.amount(),
        transfer.target());
    Long number =
        number(
            connection,
            "INSERT INTO movement (request, source, target, amount, remaining)"
                + " VALUES (?, ?, ?, ?, ?) RETURNING number",
            transfer.request(),
            transfer.source(),
            transfer.target(),
            transfer.amount(),
            left);
    return Reply.ok(new Movement(number == null ? 0 : number, transfer, left).inWords());
  }

  private static @Nullable Long number(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : null;
      }
    }
  }
}
