package io.onceward.jdbc;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL around one request in one open transaction. Statements that belong together travel
 * together: the driver sends them at once and the server answers at once, so that claiming costs
 * one round trip and recording none, since it rides along with the commit.
 *
 * <p>A claim inserts the row as {@code DONE} with the reply {@code FAILED}, "executed, perhaps in
 * part", which nobody else sees: the true reply replaces it before the commit. Only if the business
 * SQL commits by a statement of its own does that row come to light, and then it tells the truth.
 *
 * <p>The horizon is read after the insert, in a statement and so with a snapshot of its own: who
 * could insert because a sweeper had deleted the record just before sees the horizon that the
 * sweeper committed before that (G5). Where the whole transaction has one snapshot, the row of the
 * horizon is locked as well, which fails as a serialization error if it has changed since.
 */
final class TransactionSteps {
  private static final String TABLE = "onceward_request";
  private static final String CLAIM =
      """
      WITH wait AS MATERIALIZED (
        SELECT current_setting('lock_timeout') AS before, set_config('lock_timeout', ?, true) AS during
      ), claimed AS (
        INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text, dated,
          fingerprint, operation, memo, retention_millis, state, fence, started_at, expires_at,
          reply_kind, reply)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'DONE', 1, now(), now() + ? * interval '1 millisecond',
          'FAILED', ''::bytea
        FROM wait %s
        ON CONFLICT DO NOTHING RETURNING 1
      )
      SELECT c.claimed, pg_current_xact_id_if_assigned()::text AS transaction,
        set_config('lock_timeout', wait.before, true), %s AS identity, r.*
      FROM wait CROSS JOIN (SELECT count(*) AS claimed FROM claimed) c
        LEFT JOIN LATERAL (
          SELECT %s FROM onceward_request WHERE %s AND c.claimed = 0) r ON true
      """;

  private static final String IDENTITY = "(SELECT identity FROM onceward_schema)";

  private static final String HORIZON =
      """
      SELECT h.dated, locked.dated,
        %s AS future
      FROM onceward_horizon h LEFT JOIN (
        SELECT dated FROM onceward_horizon
        WHERE current_setting('transaction_isolation') <> 'read committed' FOR SHARE) locked ON true
      """
          .formatted(Horizon.FUTURE);

  private static final String BEFORE_CLAIM = "SAVEPOINT onceward_claim; ";
  private static final String BEFORE_WORK = "; SAVEPOINT onceward_work";

  private static final String TAKE_OVER =
      """
      RELEASE SAVEPOINT onceward_work;
      UPDATE onceward_request SET operation = ?, memo = ?, retention_millis = ?,
        state = 'DONE', fence = fence + 1, started_at = now(), lease_until = NULL, why = NULL,
        expires_at = now() + ? * interval '1 millisecond', reply_kind = 'FAILED', reply = ''::bytea
      WHERE %s AND state = 'RELEASED' AND fence = ?
      RETURNING pg_current_xact_id()::text;
      SAVEPOINT onceward_work
      """
          .formatted(RequestRow.IDENTITY);

  /**
   * Fails, and so keeps the commit behind it from happening, if the claim is not of this
   * transaction.
   */
  private static final String RECORD =
      """
      WITH recorded AS (
        UPDATE onceward_request SET reply_kind = ?, reply = ?
        WHERE %s AND pg_current_xact_id() = ?::xid8 RETURNING 1)
      SELECT 1 / count(*) FROM recorded"""
          .formatted(RequestRow.IDENTITY);

  private static final String STILL_ALIVE = "SELECT 1; ";
  private static final String UNDO_WORK = "ROLLBACK TO SAVEPOINT onceward_work; ";
  private static final String COMMIT = "; COMMIT";
  private static final String LEAVE = "; RELEASE SAVEPOINT onceward_claim";
  private static final String RECORD_AND_COMMIT = RECORD + COMMIT;
  private static final String RECORD_AND_LEAVE = RECORD + LEAVE;
  private static final String UNDO_CLAIM =
      "ROLLBACK TO SAVEPOINT onceward_claim; RELEASE SAVEPOINT onceward_claim";

  private static final String[] CLAIMS = new String[4];

  static {
    for (int i = 0; i < CLAIMS.length; i++) {
      boolean dated = (i & 1) != 0;
      boolean joined = (i & 2) != 0;
      CLAIMS[i] =
          (joined ? BEFORE_CLAIM : "")
              + CLAIM.formatted(
                  dated ? Horizon.NOT_FORGOTTEN : "",
                  joined ? IDENTITY : "NULL",
                  RequestRow.COLUMNS,
                  RequestRow.IDENTITY)
              + (dated ? "; " + HORIZON : "")
              + BEFORE_WORK;
    }
  }

  private final Connection connection;
  private final Ask ask;
  private final boolean joined;
  private @Nullable String transaction;

  /**
   * @param joined whether the transaction belongs to somebody else, who must be able to go on with
   *     it after the claim failed, and who commits it
   */
  TransactionSteps(Connection connection, Ask ask, boolean joined) {
    this.connection = connection;
    this.ask = ask;
    this.joined = joined;
  }

  /**
   * What a claim found.
   *
   * @param taken whether the request is this transaction's now
   * @param found the record that was in the way, if it could be seen already
   * @param forgotten whether records as old as this key were dropped; then nothing was taken
   * @param fromTheFuture whether the key is dated too far ahead; then nothing was taken
   * @param database the identity of the database, in a joined transaction
   */
  record Claimed(
      boolean taken,
      @Nullable RequestRow found,
      boolean forgotten,
      boolean fromTheFuture,
      @Nullable UUID database) {}

  /** Claims the request; waits for a transaction that holds it already. */
  Claimed claim(long waitMillis, long retentionMillis) throws SQLException {
    boolean dated = ask.id().key().isDated();
    String sql = CLAIMS[(dated ? 1 : 0) | (joined ? 2 : 0)];
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int at = 1;
      statement.setString(at++, Long.toString(Math.max(1, waitMillis)));
      at = RequestRow.setAsk(statement, at, ask);
      statement.setLong(at++, retentionMillis);
      statement.setLong(at++, retentionMillis);
      if (dated) {
        statement.setLong(at++, ask.id().key().dateMicros());
        statement.setLong(at++, ask.id().key().dateMicros());
      }
      RequestRow.setIdentity(statement, at, ask.id());
      return readClaim(statement, dated);
    }
  }

  private Claimed readClaim(PreparedStatement statement, boolean dated) throws SQLException {
    boolean rows = statement.execute();
    if (joined) {
      rows = statement.getMoreResults();
    }
    if (!rows) {
      throw new SQLException("the claim of " + TABLE + " gave no rows; is the driver pgjdbc?");
    }
    boolean taken;
    RequestRow found;
    UUID database;
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      taken = row.getLong("claimed") == 1;
      transaction = row.getString("transaction");
      database = row.getObject("identity", UUID.class);
      found = row.getString("state") == null ? null : RequestRow.read(row);
    }
    if (!dated || found != null) {
      return new Claimed(taken, found, false, false, database);
    }
    statement.getMoreResults();
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      long date = ask.id().key().dateMicros();
      boolean forgotten = date <= row.getLong(1);
      boolean fromTheFuture = !taken && date > row.getLong("future");
      return new Claimed(taken && !forgotten, null, forgotten, fromTheFuture, database);
    }
  }

  /** Claims a request that another home had released; false if somebody was quicker. */
  boolean takeOver(RequestRow released, long retentionMillis) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
      int at = RequestRow.setDescription(statement, 1, ask);
      statement.setLong(at++, retentionMillis);
      statement.setLong(at++, retentionMillis);
      at = RequestRow.setIdentity(statement, at, ask.id());
      statement.setLong(at, released.fence());
      statement.execute();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        boolean taken = row.next();
        if (taken) {
          transaction = row.getString(1);
        }
        return taken;
      }
    }
  }

  /** Writes the reply, and commits unless the transaction is somebody else's. */
  void record(Reply reply) throws SQLException {
    write(joined ? RECORD_AND_LEAVE : RECORD_AND_COMMIT, reply);
  }

  /**
   * Undoes the work and writes its business error, as {@link #record} does.
   *
   * @param mayBeAborted whether the error arose from an SQL error that is known, so that nothing is
   *     concealed if the transaction turns out to be aborted; otherwise it must be alive still
   */
  void undoWorkAndRecord(Reply reply, boolean mayBeAborted) throws SQLException {
    String before = mayBeAborted ? UNDO_WORK : STILL_ALIVE + UNDO_WORK;
    write(before + (joined ? RECORD_AND_LEAVE : RECORD_AND_COMMIT), reply);
  }

  private void write(String sql, Reply reply) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, reply.kind().name());
      statement.setBytes(2, reply.bytes().toArray());
      int at = RequestRow.setIdentity(statement, 3, ask.id());
      statement.setString(at, transaction);
      statement.execute();
    }
  }

  /** In a joined transaction: as if it had never been asked. */
  void undoClaim() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(UNDO_CLAIM);
    }
  }
}
