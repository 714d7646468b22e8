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
 * The SQL around one request in one open transaction; {@link TransactionSql} tells how it works.
 */
final class TransactionSteps {
  /** So much longer than it may wait a claim may take as a whole. */
  static final int GRACE_MILLIS = 1_000;

  private final Connection connection;
  private final Ask ask;
  private final boolean joined;
  private final boolean dated;

  /** Where the claim is, if it was taken: a row, and the transaction that wrote it. */
  private Place place = Place.NONE;

  /** Whether the row was there before: the horizon judges ids without a record only (K5). */
  private boolean hadRecord;

  /**
   * A row.
   *
   * @param transaction that wrote it
   * @param row where it is in its table
   * @param table in which it is
   */
  private record Place(String transaction, String row, long table) {
    static final Place NONE = new Place("", "", 0);

    static Place read(ResultSet row) throws SQLException {
      return new Place(row.getString(1), row.getString(2), row.getLong(3));
    }
  }

  /**
   * Steps for one request.
   *
   * @param joined whether the transaction belongs to somebody else, who must be able to go on with
   *     it after the claim failed, and who commits it
   */
  TransactionSteps(Connection connection, Ask ask, boolean joined) {
    this.connection = connection;
    this.ask = ask;
    this.joined = joined;
    this.dated = ask.id().key().isDated();
  }

  /**
   * A claim that was taken.
   *
   * @param forgotten whether records as old as this key were dropped, so that it must not run
   * @param database the identity of the database, in a joined transaction
   */
  record Taken(boolean forgotten, @Nullable UUID database) {}

  /**
   * What was found after a claim that was not taken. Nothing of the claim is left.
   *
   * @param row the record that was in the way, if there still is one
   * @param forgotten whether records as old as this key were dropped
   * @param fromTheFuture whether the key is dated too far ahead
   * @param database the identity of the database
   */
  record Found(@Nullable RequestRow row, boolean forgotten, boolean fromTheFuture, UUID database) {}

  /**
   * Claims the request. Waits for a transaction that has claimed it already.
   *
   * @return null if it was not taken
   * @throws SQLException also if that transaction did not end in time
   */
  @Nullable Taken claim(long waitMillis, long retentionMillis) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(TransactionSql.claim(dated, joined))) {
      statement.setLong(1, bound(waitMillis));
      int at = setRow(statement, 2, retentionMillis);
      if (dated) {
        statement.setLong(at++, ask.id().key().dateMicros());
        statement.setLong(at, ask.id().key().dateMicros());
      }
      executeBounded(statement);
      return taken(statement);
    }
  }

  /** Ask and retention, as a row to be inserted begins. */
  private int setRow(PreparedStatement statement, int from, long retentionMillis)
      throws SQLException {
    int at = RequestRow.setAsk(statement, from, ask);
    statement.setLong(at++, retentionMillis);
    statement.setLong(at++, retentionMillis);
    return at;
  }

  /** The server counts in 32 bits, and takes 0 for no limit. */
  private static long bound(long waitMillis) {
    return Math.min(Math.max(1, waitMillis), Integer.MAX_VALUE - GRACE_MILLIS);
  }

  /** Up to the rows of the claim itself. */
  private void executeBounded(PreparedStatement statement) throws SQLException {
    statement.execute();
    if (joined) {
      statement.getMoreResults();
    }
    if (!statement.getMoreResults()) {
      throw new SQLException("the claim gave no rows; is the driver pgjdbc?");
    }
  }

  private @Nullable Taken taken(PreparedStatement statement) throws SQLException {
    boolean snapshotForAll;
    UUID database;
    try (ResultSet row = statement.getResultSet()) {
      if (!row.next()) {
        return null;
      }
      place = Place.read(row);
      snapshotForAll = !row.getString(4).equals("read committed");
      database = joined ? row.getObject(7, UUID.class) : null;
    }
    return new Taken(snapshotForAll && dated && isForgotten(), database);
  }

  /**
   * Where one snapshot serves the whole transaction: locks the horizon for a moment, which fails as
   * a serialization error if it has changed since.
   *
   * @return whether the key is forgotten
   */
  private boolean isForgotten() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          joined ? TransactionSql.TOUCH_HORIZON : TransactionSql.TOUCH_HORIZON_AND_MARK_WORK);
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        return row.next() && ask.id().key().dateMicros() <= row.getLong(1);
      }
    }
  }

  /** Looks for what was in the way of a claim, and ends the transaction or leaves it as it was. */
  Found find() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(joined ? TransactionSql.FIND_AND_UNDO : TransactionSql.FIND)) {
      RequestRow.setIdentity(statement, 1, ask.id());
      // The first result is of a setting.
      statement.execute();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        if (!row.next()) {
          throw new SQLException("onceward_horizon or onceward_schema has lost its only row");
        }
        long date = dated ? ask.id().key().dateMicros() : 0;
        return new Found(
            row.getString("state") == null ? null : RequestRow.read(row),
            dated && date <= row.getLong("horizon"),
            dated && date > row.getLong("future"),
            row.getObject("identity", UUID.class));
      }
    }
  }

  /** Claims a request that another home had released; false if somebody was quicker. */
  boolean takeOver(RequestRow released, long waitMillis, long retentionMillis) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            joined ? TransactionSql.JOIN_AND_TAKE_OVER : TransactionSql.TAKE_OVER)) {
      statement.setLong(1, bound(waitMillis));
      int at = RequestRow.setDescription(statement, 2, ask);
      statement.setLong(at++, retentionMillis);
      statement.setLong(at++, retentionMillis);
      at = RequestRow.setIdentity(statement, at, ask.id());
      statement.setLong(at, released.fence());
      executeBounded(statement);
      try (ResultSet row = statement.getResultSet()) {
        boolean taken = row.next();
        if (taken) {
          place = Place.read(row);
          hadRecord = true;
        }
        return taken;
      }
    }
  }

  /** Writes the reply, and commits unless the transaction is somebody else's. */
  void record(Reply reply) throws SQLException {
    write("", reply);
  }

  /**
   * Undoes the work and writes its business error, as {@link #record} does.
   *
   * @param mayBeAborted whether the error arose from an SQL error that is known, so that nothing is
   *     concealed if the transaction turns out to be aborted; otherwise it must be alive still
   */
  void undoWorkAndRecord(Reply reply, boolean mayBeAborted) throws SQLException {
    String alive = mayBeAborted ? "" : TransactionSql.FAIL_IF_ABORTED;
    write(alive + TransactionSql.UNDO_WORK, reply);
  }

  private void write(String before, Reply reply) throws SQLException {
    boolean judged = dated && !hadRecord;
    String record = TransactionSql.record(judged, joined);
    try (PreparedStatement statement =
        connection.prepareStatement(before.isEmpty() ? record : before + record)) {
      int at = setReply(statement, 1, reply);
      if (joined) {
        at = RequestRow.setIdentity(statement, at, ask.id());
      }
      statement.setString(at++, place.transaction());
      if (!joined) {
        statement.setLong(at++, place.table());
      }
      if (judged) {
        statement.setLong(at++, ask.id().key().dateMicros());
      }
      if (!joined) {
        statement.setString(at, place.row());
      }
      statement.execute();
    }
  }

  private static int setReply(PreparedStatement statement, int at, Reply reply)
      throws SQLException {
    statement.setString(at, reply.kind().name());
    statement.setBytes(at + 1, reply.bytes().toArray());
    return at + 2;
  }

  /** Whether no transaction on this server can write. */
  boolean serverIsReadOnly() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TransactionSql.SERVER_IS_READ_ONLY)) {
      return row.next() && row.getBoolean(1);
    }
  }

  /** As if it had never been asked; a transaction of its own ends. */
  void undoClaim() throws SQLException {
    if (joined) {
      execute(TransactionSql.UNDO_CLAIM);
    } else {
      connection.rollback();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
