package io.onceward.jdbc;

/**
 * The steps of {@link JdbcClaimStore}. Statements of one step travel together and are one
 * transaction, at READ COMMITTED whatever the connection is set to: each of them sees what was
 * committed before it, which is what a claim needs to see the horizon after it has inserted.
 */
final class StoreSql {
  /** In front of each step; each of them gives an update count, to be skipped. */
  private static final String[] SETTINGS = {
    "TRANSACTION ISOLATION LEVEL READ COMMITTED",
    // Rows are found by their index: a plan from the time when the table was nearly empty would
    // read all of it.
    "LOCAL enable_seqscan = off",
    // What is answered has to be there after a crash, whatever the user's own SQL can do without.
    "LOCAL synchronous_commit = on",
    // Only a transaction of the other home can be in the way, and for how long nobody knows.
    "LOCAL lock_timeout = " + JdbcClaimStore.LOCK_MILLIS
  };

  static final int SETTING_COUNT = SETTINGS.length;

  static final String BEGIN = "SET " + String.join("; SET ", SETTINGS) + "; ";

  static final String COMMIT = "; COMMIT";

  private static final String FINGERPRINT_MATCHES = "(?::bigint IS NULL OR fingerprint = ?)";

  /** Operation, memo, lease and retention; the fingerprint stays that of the first run. */
  private static final String START =
      """
      operation = ?, memo = ?, state = 'STARTED', fence = fence + 1, why = NULL, expires_at = NULL,
      lease_until = clock_timestamp() + ? * interval '1 millisecond', retention_millis = ?
      """;

  private static final String INSERT =
      """
      INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text, dated,
        fingerprint, operation, memo, lease_until, retention_millis, state, fence, started_at)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond', ?,
        'STARTED', %s, clock_timestamp() %s
      ON CONFLICT DO NOTHING;
      """;

  /**
   * Of a first run of an undated key: greater than that of any run which somebody may still be
   * about, and of a re-run of it. A dated key that was dropped never starts again, so it has 1.
   */
  private static final String FIRST_FENCE = "(SELECT dropped + 2 FROM onceward_fence)";

  /**
   * If a sweeper dropped its record while the insert was under way, the insert may have looked at
   * the fences before that. Stands directly behind it, as {@link #UNLESS_FORGOTTEN} does.
   */
  private static final String AHEAD_OF_DROPPED =
      "UPDATE onceward_request SET fence = dropped + 2 FROM onceward_fence WHERE "
          + RequestRow.IDENTITY
          + " AND onceward_request.xmin = pg_current_xact_id()::xid AND fence < dropped + 2;\n";

  static final String LAPSE =
      "UPDATE onceward_request SET state = 'UNKNOWN' WHERE "
          + RequestRow.IDENTITY
          + " AND state = 'STARTED' AND lease_until <= clock_timestamp();\n";

  private static final String RESTART =
      "UPDATE onceward_request SET started_at = clock_timestamp(), "
          + START
          + "WHERE "
          + RequestRow.IDENTITY
          + " AND state = 'RELEASED' AND "
          + FINGERPRINT_MATCHES
          + ";\n";

  /**
   * Takes back what was just inserted, if a sweeper had dropped its record before that. Stands
   * directly behind the insert: nothing else of this transaction has written to the row then. A
   * record that was there before is never deleted here, however old its key.
   */
  static final String UNLESS_FORGOTTEN =
      "DELETE FROM onceward_request r USING onceward_horizon h WHERE "
          + RequestRow.IDENTITY
          + " AND r.xmin = pg_current_xact_id()::xid AND h.dated >= ?;\n";

  static final String LOOK =
      "SELECT h.dated AS horizon, "
          + Horizon.FUTURE
          + " AS future, r.* FROM onceward_horizon h LEFT JOIN (SELECT "
          + RequestRow.COLUMNS
          + " FROM onceward_request WHERE "
          + RequestRow.IDENTITY
          + ") r ON true";

  /** Results: inserted, given a greater fence, lapsed, restarted, and the row with the horizon. */
  static final String CLAIM = claim(FIRST_FENCE, "", AHEAD_OF_DROPPED);

  /** The same, but for the second: taken back. */
  static final String CLAIM_DATED = claim("1", "WHERE " + Horizon.NOT_FORGOTTEN, UNLESS_FORGOTTEN);

  /** Result: the new fence, or none. */
  static final String RERUN =
      BEGIN
          + "UPDATE onceward_request SET "
          + START
          + "WHERE "
          + RequestRow.IDENTITY
          + " AND (state = 'UNKNOWN' OR state = 'STARTED' AND lease_until <= clock_timestamp()) AND "
          + FINGERPRINT_MATCHES
          + " AND fence = ? RETURNING fence"
          + COMMIT;

  private static final String CLOSE =
      "lease_until = NULL, why = NULL, expires_at = "
          + CountedTime.expiry("clock_timestamp()", "retention_millis");

  private static final String IF_OPEN =
      " WHERE " + RequestRow.IDENTITY + " AND fence = ? AND state IN ('STARTED', 'UNKNOWN')";

  /** Result: how many, one or none. */
  static final String DONE =
      BEGIN
          + "UPDATE onceward_request SET state = 'DONE', reply_kind = ?, reply = ?, "
          + CLOSE
          + IF_OPEN
          + COMMIT;

  /** For a completion that was not taken. Result: whether it had been taken before, or no row. */
  static final String LATE =
      BEGIN
          + """
          WITH given AS MATERIALIZED (SELECT ?::text AS kind, ?::bytea AS reply, ?::bigint AS fence),
          known AS MATERIALIZED (
            SELECT r.principal, r.scope, r.key_kind, r.key_high, r.key_low,
              r.fence = g.fence AND CASE r.state
                WHEN 'ACKNOWLEDGED' THEN coalesce(r.why = %s, false)
                ELSE r.state = 'DONE' AND r.reply_kind = g.kind AND r.reply = g.reply END AS same
            FROM onceward_request r, given g WHERE %s),
          kept AS (
            INSERT INTO onceward_evidence (principal, scope, key_kind, key_high, key_low, fence,
              reply_kind, reply, arrived_at)
            SELECT k.principal, k.scope, k.key_kind, k.key_high, k.key_low, g.fence, g.kind, g.reply,
              clock_timestamp()
            FROM known k, given g
            WHERE NOT k.same AND NOT EXISTS (
              SELECT FROM onceward_evidence e
              WHERE (e.principal, e.scope, e.key_kind, e.key_high, e.key_low)
                = (k.principal, k.scope, k.key_kind, k.key_high, k.key_low)
                AND e.fence = g.fence AND e.reply_kind = g.kind AND e.reply = g.reply)
              AND (SELECT count(*) FROM onceward_evidence e
                WHERE (e.principal, e.scope, e.key_kind, e.key_high, e.key_low)
                  = (k.principal, k.scope, k.key_kind, k.key_high, k.key_low)) < %d)
          SELECT same FROM known"""
              .formatted(
                  digest("g.kind", "g.reply"), RequestRow.IDENTITY, JdbcClaimStore.MAX_EVIDENCE)
          + COMMIT;

  /** Results: a count, and whether it is unknown now. */
  static final String UNKNOWN =
      BEGIN
          + "UPDATE onceward_request SET state = 'UNKNOWN', why = ? WHERE "
          + RequestRow.IDENTITY
          + " AND fence = ? AND state = 'STARTED'; "
          + isNow("UNKNOWN")
          + COMMIT;

  /** Results: a count, and whether it is released now. */
  static final String RELEASE =
      BEGIN
          + "UPDATE onceward_request SET state = 'RELEASED', "
          + CLOSE
          + IF_OPEN
          + "; "
          + isNow("RELEASED")
          + COMMIT;

  static final String UNKNOWNS =
      BEGIN
          + "SELECT "
          + RequestRow.COLUMNS
          + " FROM onceward_request WHERE expires_at IS NULL AND (state = 'UNKNOWN'"
          + " OR state = 'STARTED' AND lease_until <= clock_timestamp())"
          + " ORDER BY started_at LIMIT ?"
          + COMMIT;

  static final String EVIDENCE =
      BEGIN
          + "SELECT fence, reply_kind, reply,"
          + " (extract(epoch FROM arrived_at) * 1000000)::bigint AS arrived_micros"
          + " FROM onceward_evidence WHERE "
          + RequestRow.IDENTITY
          + " ORDER BY number"
          + COMMIT;

  private StoreSql() {}

  /** What stays of a reply that was taken, to tell a completion with another reply (G2). */
  static String digest(String kind, String reply) {
    return kind + " || ' ' || encode(substring(sha256(" + reply + ") FROM 1 FOR 8), 'hex')";
  }

  private static String claim(String fence, String condition, String afterInsert) {
    return BEGIN
        + INSERT.formatted(fence, condition)
        + afterInsert
        + LAPSE
        + RESTART
        + LOOK
        + COMMIT;
  }

  private static String isNow(String state) {
    return "SELECT EXISTS (SELECT FROM onceward_request WHERE "
        + RequestRow.IDENTITY
        + " AND fence = ? AND state = '"
        + state
        + "')";
  }
}
