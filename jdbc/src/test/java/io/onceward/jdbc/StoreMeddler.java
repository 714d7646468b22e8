package io.onceward.jdbc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one mistake, or none, in the name of {@link JdbcClaimStore}. */
final class StoreMeddler implements Meddled.Meddler {
  /** A mistake that the store could make. */
  enum Bug {
    /** A dated key behind the horizon is dropped, whatever is unknown of it. */
    DROPS_THE_UNKNOWN_BEHIND_THE_HORIZON,
    /** Leases end by the clock of the process that took them. */
    LEASES_BY_ITS_OWN_CLOCK,
    /** A re-run has the fence of the run before it. */
    REPEATS_FENCES,
    /** A run that was given up completes the run that came after it. */
    IGNORES_FENCES,
    /** What is unknown is run again by the next copy. */
    RUNS_THE_UNKNOWN_AGAIN,
    /** A completion is confirmed and not kept. */
    FORGETS_COMPLETIONS,
    /** What is running is closed. */
    CLOSES_THE_RUNNING,
    /** Decided requests are dropped before their retention is over. */
    SWEEPS_TOO_EARLY,
    /** Requests past their retention stay for ever. */
    NEVER_SWEEPS,
    /** What was answered is on disk only some time later; a crash of the server shows it. */
    COMMITS_ASYNCHRONOUSLY
  }

  private final @Nullable Bug bug;
  private final StatementCount statements;

  StoreMeddler(@Nullable Bug bug, StatementCount statements) {
    this.bug = bug;
    this.statements = statements;
  }

  @Override
  public String rewrite(Meddled.Session session, String sql) {
    if (bug == null) {
      return sql;
    }
    return switch (bug) {
      case DROPS_THE_UNKNOWN_BEHIND_THE_HORIZON ->
          sql.replace(" AND r.xmin = pg_current_xact_id()::xid", "");
      case LEASES_BY_ITS_OWN_CLOCK ->
          sql.replace(
              "clock_timestamp() + ? * interval", "pg_catalog.clock_timestamp() + ? * interval");
      case REPEATS_FENCES -> sql.replace("fence = fence + 1", "fence = fence");
      case IGNORES_FENCES ->
          sql.replace(
              " AND fence = ? AND state IN ('STARTED', 'UNKNOWN')",
              " AND ? > 0 AND state IN ('STARTED', 'UNKNOWN')");
      case RUNS_THE_UNKNOWN_AGAIN ->
          sql.contains("ON CONFLICT")
              ? sql.replace("state = 'RELEASED'", "state IN ('RELEASED', 'UNKNOWN')")
              : sql;
      case FORGETS_COMPLETIONS ->
          sql.contains("SET state = 'DONE'") ? sql.replace("; COMMIT", "; ROLLBACK") : sql;
      case CLOSES_THE_RUNNING ->
          sql.contains("'ABANDONED'")
              ? sql.replace("state = 'RELEASED'", "state IN ('RELEASED', 'STARTED')")
              : sql;
      case SWEEPS_TOO_EARLY -> sql.replace(CountedTime.COUNTED, "'infinity'::timestamptz");
      case NEVER_SWEEPS -> sql.replace(CountedTime.COUNTED, "'-infinity'::timestamptz");
      case COMMITS_ASYNCHRONOUSLY ->
          sql.replace("LOCAL synchronous_commit = on", "LOCAL synchronous_commit = off");
    };
  }

  @Override
  public @Nullable Object execute(
      Meddled.Session session, String sql, Map<Integer, Object> parameters, Meddled.Call call)
      throws Throwable {
    statements.sent();
    return call.proceed();
  }

  @Override
  public @Nullable Object commit(Meddled.Session session, Meddled.Call call) throws Throwable {
    return call.proceed();
  }
}
