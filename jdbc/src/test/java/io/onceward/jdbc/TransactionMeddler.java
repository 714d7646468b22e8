package io.onceward.jdbc;

import io.onceward.testkit.world.Dice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Loses commits and their answers, and makes one mistake, or none, in the name of {@link
 * OnceTransaction}.
 */
final class TransactionMeddler implements Meddled.Meddler {
  private static final String DECIDED_LAST =
      " FROM onceward_request x WHERE x.state = 'DONE' ORDER BY x.started_at DESC LIMIT 1)";

  private static final int FINGERPRINT_OF_A_CLAIM = 8;

  private final @Nullable TransactionBug bug;
  private final Dice dice;
  private final DataSource database;
  private final StatementCount statements;

  /**
   * @param statements counts what is executed
   */
  TransactionMeddler(
      @Nullable TransactionBug bug, Dice dice, DataSource database, StatementCount statements) {
    this.bug = bug;
    this.dice = dice;
    this.database = database;
    this.statements = statements;
  }

  private boolean has(TransactionBug planted) {
    return bug == planted;
  }

  private synchronized boolean chance(int perMille) {
    return dice.perMille(perMille);
  }

  private static boolean claims(String sql) {
    return sql.contains("'FAILED', ''::bytea");
  }

  private static boolean records(String sql) {
    return sql.contains("reply_kind = ?") && sql.endsWith("COMMIT");
  }

  @Override
  public String rewrite(Meddled.Session session, String sql) {
    if (bug == null) {
      return sql;
    }
    return switch (bug) {
      case REPLY_IS_NOT_RECORDED ->
          sql.replace(
                  "SET reply_kind = ?, reply = ? WHERE ctid",
                  "SET reply_kind = coalesce(reply_kind, ?), reply = coalesce(reply, ?) WHERE ctid")
              .replace("reply = excluded.reply", "reply = onceward_request.reply")
              .replace("reply_kind = excluded.reply_kind", "reply_kind = 'FAILED'");
      case BUSINESS_ERROR_UNDOES_NOTHING -> sql.replace(TransactionSql.UNDO_WORK, "");
      case BUSINESS_ERROR_IS_NOT_RECORDED ->
          sql.contains(TransactionSql.UNDO_WORK) ? sql.replace("; COMMIT", "; ROLLBACK") : sql;
      case CLAIM_COMMITS_APART ->
          claims(sql) && !sql.startsWith("SAVEPOINT")
              ? sql.replace("; SAVEPOINT onceward_work", "; COMMIT; BEGIN; SAVEPOINT onceward_work")
              : sql.replace("pg_current_xact_id() <> ?::xid8", "?::xid8 IS NULL");
      case SKIPS_THE_HORIZON ->
          sql.replace("> (SELECT dated FROM onceward_horizon)", "> -5")
              .replace("WHEN ? <= (SELECT dated FROM onceward_horizon)", "WHEN ? <= -5")
              .replace("WHEN ? > dated", "WHEN ? > -5")
              .replace("SELECT dated FROM onceward_horizon FOR SHARE", "SELECT -5::bigint");
      case SWEEPS_TOO_EARLY -> sql.replace(CountedTime.COUNTED, "'infinity'::timestamptz");
      case IGNORES_FINGERPRINTS ->
          sql.replace(
              "state, fence, fingerprint, operation",
              "state, fence, "
                  + session.claimed.get(FINGERPRINT_OF_A_CLAIM)
                  + "::bigint AS fingerprint, operation");
      case ABANDONING_IS_NOT_RECORDED ->
          sql.contains("'ABANDONED'") ? sql.replace("; COMMIT", "; ROLLBACK") : sql;
      case RUNS_DECIDED_AGAIN ->
          claims(sql)
              ? sql.replace(
                  "ON CONFLICT DO NOTHING",
                  "ON CONFLICT (principal, scope, key_kind, key_high, key_low)"
                      + " DO UPDATE SET operation = excluded.operation")
              : sql;
      case TELLS_OTHERS_REPLY ->
          sql.replace(
              "why, reply_kind, reply FROM",
              "why, (SELECT x.reply_kind"
                  + DECIDED_LAST
                  + " AS reply_kind, (SELECT x.reply"
                  + DECIDED_LAST
                  + " AS reply FROM");
      case COMMITS_ASYNCHRONOUSLY ->
          sql.replace("'remote_apply' ELSE 'on' END", "'remote_apply' ELSE 'off' END");
      case LOST_COMMIT_DID_NOT_HAPPEN,
          LOST_COMMIT_RUNS_AGAIN,
          LOST_COMMIT_HAPPENED,
          TAKES_ANY_DUPLICATE_FOR_A_REPLAY ->
          sql;
    };
  }

  @Override
  public @Nullable Object execute(
      Meddled.Session session, String sql, Map<Integer, Object> parameters, Meddled.Call call)
      throws Throwable {
    statements.sent();
    if (claims(sql)) {
      session.claimed = Map.copyOf(parameters);
    }
    if (!records(sql)) {
      return has(TransactionBug.TAKES_ANY_DUPLICATE_FOR_A_REPLAY)
          ? withoutDuplicates(session, call)
          : call.proceed();
    }
    if (chance(100)) {
      if (has(TransactionBug.LOST_COMMIT_HAPPENED)) {
        session.raw.rollback();
        return false;
      }
      session.raw.close();
      throw Meddled.lost();
    }
    if (!chance(100)) {
      return call.proceed();
    }
    call.proceed();
    session.raw.close();
    if (has(TransactionBug.LOST_COMMIT_RUNS_AGAIN)) {
      forget((byte[]) parameters.get(2));
    }
    throw has(TransactionBug.LOST_COMMIT_DID_NOT_HAPPEN)
        ? new SQLException("the connection is lost", "23505")
        : Meddled.lost();
  }

  private static @Nullable Object withoutDuplicates(Meddled.Session session, Meddled.Call call)
      throws Throwable {
    try {
      return call.proceed();
    } catch (SQLException e) {
      if (!"23505".equals(e.getSQLState())) {
        throw e;
      }
      try (Statement statement = session.raw.createStatement()) {
        statement.execute("ROLLBACK TO SAVEPOINT onceward_work");
      }
      return false;
    }
  }

  private void forget(byte[] reply) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("DELETE FROM onceward_request WHERE reply = ?")) {
      statement.setBytes(1, reply);
      statement.execute();
    }
  }

  @Override
  public @Nullable Object commit(Meddled.Session session, Meddled.Call call) throws Throwable {
    if (chance(50)) {
      session.raw.close();
      throw Meddled.lost();
    }
    if (!chance(50)) {
      return call.proceed();
    }
    call.proceed();
    session.raw.close();
    throw Meddled.lost();
  }
}
