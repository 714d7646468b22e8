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
 * <p><b>Waiting</b> needs a {@code lock_timeout}, which has to be set and put back. So whoever
 * claims holds an advisory lock, and the first try only asks for it: who is given it at once finds
 * no row to wait for, but for those of claim stores, which are open for one message only. Who is
 * not given it tries again and waits. The lock saves time; what tells requests apart is the primary
 * key.
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
 * snapshot, the row of the horizon is locked instead.
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
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'DONE', 1, now(), now() + ? * interval '1 millisecond',
      """;

  /** Which row it is, and in which transaction. */
  private static final String PLACE =
      "pg_current_xact_id()::text, ctid::text, 'onceward_request'::regclass::oid";

  private static final String TAKEN =
      " ON CONFLICT DO NOTHING RETURNING " + PLACE + ", current_setting('transaction_isolation')";

  private static final String CLAIM =
      INSERT + "'FAILED', ''::bytea WHERE pg_try_advisory_xact_lock(?)";

  /** The lock looks at the setting, or it would be taken first. */
  private static final String WAIT_AND_CLAIM =
      INSERT
          + """
          'FAILED', ''::bytea
          FROM (SELECT set_config('onceward.lock_timeout', current_setting('lock_timeout'), true),
            set_config('lock_timeout', ?, true) AS timeout) wait
          WHERE pg_advisory_xact_lock(CASE WHEN wait.timeout IS NULL THEN 0 ELSE ? END) IS NOT NULL""";

  private static final String WAITED =
      ", set_config('lock_timeout', current_setting('onceward.lock_timeout'), true)";

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
      RETURNING %s;
      SAVEPOINT onceward_work"""
          .formatted(RequestRow.IDENTITY, PLACE);

  /** A text that becomes a place only if all is well: the others fail, and tell why. */
  private static final String RECORD =
      """
      SET LOCAL enable_seqscan = off;
      UPDATE onceward_request SET reply_kind = ?, reply = ? WHERE ctid =
        (CASE WHEN pg_current_xact_id() <> ?::xid8 OR 'onceward_request'::regclass <> ?::oid
          THEN '%s' %s ELSE ? END)::tid;
      COMMIT""";

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
      RETURNING (CASE WHEN fence > 0 THEN '1' ELSE '%1$s' END)::int %2$s;
      RELEASE SAVEPOINT onceward_claim""";

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

  static final String FIND = LOOK + "ROLLBACK";
  static final String FIND_AND_UNDO = LOOK + UNDO_CLAIM;
  static final String TAKE_OVER = UPDATE_RELEASED;
  static final String JOIN_AND_TAKE_OVER = BEFORE_CLAIM + UPDATE_RELEASED;
  static final String LOCK_HORIZON = "SELECT dated FROM onceward_horizon FOR SHARE";
  static final String LOCK_HORIZON_AND_MARK_WORK = LOCK_HORIZON + "; " + WORK;

  private static final String[] CLAIMS = new String[8];
  private static final String[] RECORDS = new String[4];

  static {
    for (boolean dated : new boolean[] {false, true}) {
      for (boolean joined : new boolean[] {false, true}) {
        String horizon = dated ? " AND " + Horizon.NOT_FORGOTTEN : "";
        String before = joined ? BEFORE_CLAIM : "";
        String database = joined ? DATABASE : "";
        CLAIMS[index(dated, joined)] = before + CLAIM + horizon + TAKEN + database + "; " + WORK;
        CLAIMS[4 | index(dated, joined)] =
            before + WAIT_AND_CLAIM + horizon + TAKEN + database + WAITED + "; " + WORK;
        RECORDS[index(dated, joined)] =
            joined
                ? RECORD_JOINED.formatted(ENDED, dated ? ", " + NOT_PASSED : "")
                : RECORD.formatted(ENDED, dated ? IF_PASSED : "");
      }
    }
  }

  private TransactionSql() {}

  static String claim(boolean dated, boolean joined, boolean waiting) {
    return CLAIMS[index(dated, joined) | (waiting ? 4 : 0)];
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
