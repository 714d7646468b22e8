package io.onceward.jdbc;

import java.sql.SQLException;

/**
 * The statements around one request in one open transaction. Statements that belong together travel
 * together: the driver sends them at once and the server answers at once, so that claiming costs
 * one round trip and recording none, since it rides along with the commit.
 *
 * <p><b>The claim</b> inserts the row as {@code DONE} with the reply {@code FAILED}, "executed,
 * perhaps in part", which nobody else sees: the true reply replaces it before the commit. Only if
 * the business SQL commits by a statement of its own does that row come to light, and then it tells
 * the truth. A duplicate waits for the row no longer than {@code lock_timeout}, which is set and
 * put back within the statement.
 *
 * <p><b>The record</b> is written by an insert that always meets its claim. A plain update would
 * leave it to the planner to find the row, and a plan from the time when the table was nearly empty
 * reads all of it. An insert that meets no claim, or one of another transaction, fails, and so
 * keeps the commit behind it from happening.
 *
 * <p><b>The horizon</b> is looked at before the claim, and again with the record, in a statement
 * and so with a snapshot of its own: who could insert because a sweeper had deleted the record just
 * before sees then what the sweeper committed before that (G5). Where the whole transaction has one
 * snapshot, the row of the horizon is locked instead.
 */
final class TransactionSql {
  /** What the server says, in the words of an error about numbers, if a record must not commit. */
  private static final String ENDED = "onceward: the claim is not of this transaction";

  private static final String PASSED = "onceward: the horizon has passed this key";

  private static final String CLAIM =
      """
      INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text, dated,
        fingerprint, operation, memo, retention_millis, state, fence, started_at, expires_at,
        reply_kind, reply)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'DONE', 1, now(), now() + ? * interval '1 millisecond',
        'FAILED', ''::bytea
      FROM (SELECT set_config('onceward.lock_timeout', current_setting('lock_timeout'), true),
        set_config('lock_timeout', ?, true) AS timeout) wait
      WHERE wait.timeout IS NOT NULL %s
      ON CONFLICT DO NOTHING
      RETURNING pg_current_xact_id()::text, current_setting('transaction_isolation'),
        set_config('lock_timeout', current_setting('onceward.lock_timeout'), true) %s;
      SAVEPOINT onceward_work""";

  private static final String BEFORE_CLAIM = "SAVEPOINT onceward_claim; ";
  private static final String DATABASE = ", (SELECT identity FROM onceward_schema)";

  private static final String LOOK =
      "SET LOCAL enable_seqscan = off; SELECT h.dated AS horizon, "
          + Horizon.FUTURE
          + " AS future, s.identity, r.* FROM onceward_horizon h CROSS JOIN onceward_schema s"
          + " LEFT JOIN (SELECT "
          + RequestRow.COLUMNS
          + " FROM onceward_request WHERE "
          + RequestRow.IDENTITY
          + ") r ON true; ";

  private static final String UPDATE_RELEASED =
      """
      UPDATE onceward_request SET operation = ?, memo = ?, retention_millis = ?,
        state = 'DONE', fence = fence + 1, started_at = now(), lease_until = NULL, why = NULL,
        expires_at = now() + ? * interval '1 millisecond', reply_kind = 'FAILED', reply = ''::bytea
      WHERE %s AND state = 'RELEASED' AND fence = ?
      RETURNING pg_current_xact_id()::text;
      SAVEPOINT onceward_work"""
          .formatted(RequestRow.IDENTITY);

  /** Texts that become numbers only if all is well: the others fail, and tell why. */
  private static final String RECORD =
      """
      INSERT INTO onceward_request (reply_kind, reply, principal, scope, key_kind, key_high, key_low,
        operation, memo, retention_millis, state, fence, started_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 0, 'DONE', 0, now())
      ON CONFLICT (principal, scope, key_kind, key_high, key_low)
      DO UPDATE SET reply_kind = excluded.reply_kind, reply = excluded.reply, fence =
        (CASE WHEN pg_current_xact_id() = ?::xid8 THEN onceward_request.fence::text ELSE '%1$s' END)::bigint
      RETURNING (CASE WHEN fence > 0 THEN '1' ELSE '%1$s' END)::int %2$s""";

  private static final String NOT_PASSED =
      ", (SELECT (CASE WHEN ? > dated THEN '1' ELSE '"
          + PASSED
          + "' END)::int FROM onceward_horizon)";

  private static final String LEAVE = "RELEASE SAVEPOINT onceward_claim";

  static final String UNDO_CLAIM = "ROLLBACK TO SAVEPOINT onceward_claim; " + LEAVE;
  static final String UNDO_WORK = "ROLLBACK TO SAVEPOINT onceward_work; ";

  /** Fails if the transaction was aborted, before that is undone. */
  static final String UNDO_LIVE_WORK = "SELECT 1; " + UNDO_WORK;

  static final String FIND = LOOK + "ROLLBACK";
  static final String FIND_AND_UNDO = LOOK + UNDO_CLAIM;
  static final String TAKE_OVER = UPDATE_RELEASED;
  static final String JOIN_AND_TAKE_OVER = BEFORE_CLAIM + UPDATE_RELEASED;
  static final String LOCK_HORIZON = "SELECT dated FROM onceward_horizon FOR SHARE";

  private static final String[] CLAIMS = new String[4];
  private static final String[] RECORDS = new String[4];

  static {
    for (boolean dated : new boolean[] {false, true}) {
      for (boolean joined : new boolean[] {false, true}) {
        CLAIMS[index(dated, joined)] =
            (joined ? BEFORE_CLAIM : "")
                + CLAIM.formatted(
                    dated ? "AND " + Horizon.NOT_FORGOTTEN : "", joined ? DATABASE : "");
        RECORDS[index(dated, joined)] =
            RECORD.formatted(ENDED, dated ? NOT_PASSED : "") + "; " + (joined ? LEAVE : "COMMIT");
      }
    }
  }

  private TransactionSql() {}

  static String claim(boolean dated, boolean joined) {
    return CLAIMS[index(dated, joined)];
  }

  static String record(boolean dated, boolean joined) {
    return RECORDS[index(dated, joined)];
  }

  private static int index(boolean dated, boolean joined) {
    return (dated ? 1 : 0) | (joined ? 2 : 0);
  }

  /** Whether a record failed because the work had ended the transaction. */
  static boolean saysEnded(SQLException failure) {
    return says(failure, ENDED);
  }

  /** Whether a record failed because the horizon has passed its key since the claim. */
  static boolean saysPassed(SQLException failure) {
    return says(failure, PASSED);
  }

  private static boolean says(SQLException failure, String words) {
    return failure.getMessage() != null && failure.getMessage().contains(words);
  }
}
