package io.onceward.jdbc;

/** The steps of {@link Records}; each is one transaction, as those of {@link StoreSql}. */
final class RecordSql {
  private static final String INSERT_ABANDONED =
      """
      INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, key_text, dated,
        fingerprint, operation, memo, retention_millis, state, fence, started_at, expires_at)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ABANDONED', 0, clock_timestamp(), %s
      """
              .formatted(CountedTime.expiry("clock_timestamp()", "?"))
          + " %s ON CONFLICT DO NOTHING;\n";

  private static final String ABANDON_RELEASED =
      "UPDATE onceward_request SET state = 'ABANDONED', retention_millis = ?, expires_at = "
          + CountedTime.expiry("clock_timestamp()", "?")
          + " WHERE "
          + RequestRow.IDENTITY
          + " AND state = 'RELEASED';\n";

  private static final String UNDATED =
      ", (SELECT undated FROM onceward_sweep) AS undated FROM onceward_horizon h ";

  /** Result: the row, with the horizons. */
  static final String OUTCOME =
      StoreSql.BEGIN
          + StoreSql.LOOK.replace(" FROM onceward_horizon h ", UNDATED)
          + StoreSql.COMMIT;

  /** Results: inserted, lapsed, closed, and the row with the horizon. */
  static final String ABANDON = abandon("", "");

  /** The same, with one more count behind the first: taken back. */
  static final String ABANDON_DATED =
      abandon("WHERE " + Horizon.NOT_FORGOTTEN, StoreSql.UNLESS_FORGOTTEN);

  /** Result: how many, one or none. */
  static final String ACKNOWLEDGE =
      StoreSql.BEGIN
          + "UPDATE onceward_request SET state = 'ACKNOWLEDGED', why = "
          + StoreSql.digest("reply_kind", "reply")
          + ", reply_kind = NULL, reply = NULL WHERE "
          + RequestRow.IDENTITY
          + " AND state = 'DONE'"
          + StoreSql.COMMIT;

  /** Result: a number. */
  static final String COUNT_OLDER =
      StoreSql.BEGIN
          + "SELECT count(*) FROM onceward_request WHERE "
          + Cleaning.OLDER
          + StoreSql.COMMIT;

  private RecordSql() {}

  private static String abandon(String condition, String afterInsert) {
    return StoreSql.BEGIN
        + INSERT_ABANDONED.formatted(condition)
        + afterInsert
        + StoreSql.LAPSE
        + ABANDON_RELEASED
        + StoreSql.LOOK
        + StoreSql.COMMIT;
  }
}
