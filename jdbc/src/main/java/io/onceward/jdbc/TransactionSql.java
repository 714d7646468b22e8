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
 * the truth.
 *
 * <p><b>Waiting</b> for other transactions that have the row is bounded by a {@code lock_timeout}
 * for each of them and a {@code statement_timeout} for all together, which are set in front of the
 * statement that waits and put back by it, so that the business SQL runs under its own. If the
 * statement fails, or finds a record, the settings go with the transaction or with the savepoint.
 * No advisory locks: a transaction that joins many requests would take the memory for them from the
 * whole server.
 *
 * <p><b>The record</b> is written to where the claim is known to be, without a search. In another
 * transaction, or on a search path that leads to another table, the place becomes a text that is no
 * place, and the error keeps the commit behind it from happening. A small table the planner would
 * rather read as a whole, and go on so when it has grown, hence the setting, which ends with the
 * transaction. In a joined transaction it would not, so there the record is an insert that always
 * meets its claim, which takes longer and is in no planner's hands; one that meets no claim, or one
 * of another transaction, fails.
 *
 * <p><b>The horizon</b> is looked at before the claim, and again with the record, in a statement
 * and so with a snapshot of its own: who could insert because a sweeper had deleted the record just
 * before sees then what the sweeper committed before that (G5). Where the whole transaction has one
 * snapshot, the row of the horizon is locked instead: that fails as a serialization error if the
 * row has changed since the snapshot. It is the moment behind the claim that counts, not the time
 * until the commit, so the lock is let go at once: held, it would keep sweepers waiting for a gap
 * between transactions that may never come.
 *
 * <p><b>Durability</b>: a reply that was handed out must not be lost in a crash, so the record
 * raises {@code synchronous_commit} for its transaction, after all that the work may have set.
 *
 * <p><b>A business error</b> undoes the work up to a savepoint behind the claim, so that the claim
 * is held until the error is recorded (G5). It costs every transaction a second transaction id.
 */
final class TransactionSql {
  /** What the server says, in the words of an error about numbers, if a record must not commit. */
  private static final String ENDED = "onceward: the claim is not of this transaction";

  private static final String PASSED = "onceward: the horizon has passed this key";

  private static final String INSERT =
      """
      INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text, dated,
        fingerprint, operation, memo, retention_millis, state, fence, started_at, expires_at,
        reply_kind, reply)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'DONE', 1, now(), %s,
      """
          .formatted(CountedTime.expiry("now()", "?"));

  /** Which row it is, and in which transaction. */
  private static final String PLACE =
      "pg_current_xact_id()::text, ctid::text, 'onceward_request'::regclass::oid";

  private static final String TAKEN =
      " ON CONFLICT DO NOTHING RETURNING " + PLACE + ", current_setting('transaction_isolation')";

  /**
   * In front of a claim. A lock_timeout counts anew for each transaction that the claim finds in
   * its way, and there may be one after another; so the whole has a limit too, unless the user's
   * own is shorter. It is a little longer, since a claim that waits for nobody takes its time as
   * well.
   */
  private static final String BOUND =
      """
      SELECT set_config('onceward.lock_timeout', current_setting('lock_timeout'), true),
        set_config('onceward.statement_timeout', current_setting('statement_timeout'), true),
        set_config('lock_timeout', wait.millis::text, true),
        set_config('statement_timeout', CASE
          WHEN current_setting('statement_timeout') <> '0' AND current_setting('statement_timeout')::interval
            < (wait.millis + %1$d) * interval '1 millisecond'
          THEN current_setting('statement_timeout') ELSE (wait.millis + %1$d)::text END, true)
      FROM (SELECT ?::bigint AS millis) wait;
      """
          .formatted(TransactionSteps.GRACE_MILLIS);

  private static final String CLAIM = INSERT + "'FAILED', ''::bytea WHERE true";

  /** Behind a claim that was taken. */
  private static final String WAITED =
      ", set_config('lock_timeout', current_setting('onceward.lock_timeout'), true),"
          + " set_config('statement_timeout', current_setting('onceward.statement_timeout'), true)";

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
        expires_at = %s, reply_kind = 'FAILED', reply = ''::bytea
      WHERE %s AND state = 'RELEASED' AND fence = ?
      RETURNING %s %s;
      SAVEPOINT onceward_work"""
          .formatted(CountedTime.expiry("now()", "?"), RequestRow.IDENTITY, PLACE, WAITED);

  /** {@code remote_apply} promises more than {@code on}; all the others promise less. */
  private static final String DURABLY =
      "set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
          + " WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)";

  /** A text that becomes a place only if all is well: the others fail, and tell why. */
  private static final String RECORD =
      """
      SET LOCAL enable_seqscan = off;
      UPDATE onceward_request SET reply_kind = ?, reply = ? WHERE ctid =
        (CASE WHEN pg_current_xact_id() <> ?::xid8 OR 'onceward_request'::regclass <> ?::oid
          THEN '%s' %s ELSE ? END)::tid"""
          + " RETURNING "
          + DURABLY
          + "; COMMIT";

  private static final String IF_PASSED =
      "WHEN ? <= (SELECT dated FROM onceward_horizon) THEN '" + PASSED + "'";

  /** Texts that become numbers only if all is well. */
  private static final String RECORD_JOINED =
      """
      INSERT INTO onceward_request (reply_kind, reply, principal, scope, key_kind, key_high, key_low,
        operation, memo, retention_millis, state, fence, started_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 0, 'DONE', 0, now())
      ON CONFLICT (principal, scope, key_kind, key_high, key_low)
      DO UPDATE SET reply_kind = excluded.reply_kind, reply = excluded.reply, fence =
        (CASE WHEN pg_current_xact_id() = ?::xid8 THEN onceward_request.fence::text ELSE '%1$s' END)::bigint
      RETURNING (CASE WHEN fence > 0 THEN '1' ELSE '%1$s' END)::int %2$s"""
          + ", "
          + DURABLY
          + "; RELEASE SAVEPOINT onceward_claim";

  private static final String NOT_PASSED =
      "(SELECT (CASE WHEN ? > dated THEN '1' ELSE '"
          + PASSED
          + "' END)::int FROM onceward_horizon)";

  private static final String WORK = "SAVEPOINT onceward_work";
  private static final String LEAVE = "RELEASE SAVEPOINT onceward_claim";

  static final String UNDO_CLAIM = "ROLLBACK TO SAVEPOINT onceward_claim; " + LEAVE;
  static final String UNDO_WORK = "ROLLBACK TO SAVEPOINT onceward_work; ";

  /** In front of what would undo that. */
  static final String FAIL_IF_ABORTED = "SELECT 1; ";

  static final String SERVER_IS_READ_ONLY =
      "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean";

  static final String FIND = LOOK + "ROLLBACK";
  static final String FIND_AND_UNDO = LOOK + UNDO_CLAIM;
  static final String TAKE_OVER = BOUND + UPDATE_RELEASED;
  static final String JOIN_AND_TAKE_OVER = BEFORE_CLAIM + BOUND + UPDATE_RELEASED;

  /** One result before the row. The lock goes with the savepoint, at once. */
  static final String TOUCH_HORIZON =
      "SAVEPOINT onceward_horizon; SELECT dated FROM onceward_horizon FOR SHARE;"
          + " ROLLBACK TO SAVEPOINT onceward_horizon; RELEASE SAVEPOINT onceward_horizon";

  static final String TOUCH_HORIZON_AND_MARK_WORK = TOUCH_HORIZON + "; " + WORK;

  private static final String[] CLAIMS = new String[4];
  private static final String[] RECORDS = new String[4];

  static {
    for (boolean dated : new boolean[] {false, true}) {
      for (boolean joined : new boolean[] {false, true}) {
        String horizon = dated ? " AND " + Horizon.NOT_FORGOTTEN : "";
        String before = joined ? BEFORE_CLAIM : "";
        String database = joined ? DATABASE : "";
        CLAIMS[index(dated, joined)] =
            before + BOUND + CLAIM + horizon + TAKEN + WAITED + database + "; " + WORK;
        RECORDS[index(dated, joined)] =
            joined
                ? RECORD_JOINED.formatted(ENDED, dated ? ", " + NOT_PASSED : "")
                : RECORD.formatted(ENDED, dated ? IF_PASSED : "");
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
