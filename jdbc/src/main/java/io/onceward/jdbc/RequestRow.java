package io.onceward.jdbc;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code onceward_request} as both homes read it. Ages are by the database's clock. */
record RequestRow(
    GuardedId id,
    State state,
    long fence,
    @Nullable Fingerprint fingerprint,
    String operation,
    String memo,
    Instant started,
    long startedMillisAgo,
    long leaseLeftMillis,
    String why,
    Reply reply) {

  /** As in the column of that name. */
  enum State {
    STARTED,
    DONE,
    UNKNOWN,
    RELEASED,
    ACKNOWLEDGED,
    ABANDONED
  }

  /** Why a request is unknown whose run was not heard of until the end of its lease. */
  static final String LEASE_ENDED = "the lease ended and the run was not heard of";

  static final String IDENTITY =
      "principal = ? AND scope = ? AND key_kind = ? AND key_high = ? AND key_low = ?";

  /** What {@link #read} reads, in a query on {@code onceward_request}. */
  static final String COLUMNS =
      """
      principal, scope, key_kind, key_high, key_low, key_text, state, fence, fingerprint, operation, memo,
      (extract(epoch FROM started_at) * 1000000)::bigint AS started_micros,
      floor(extract(epoch FROM clock_timestamp() - started_at) * 1000)::bigint AS started_millis_ago,
      ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000)::bigint AS lease_left_millis,
      why, reply_kind, reply""";

  static RequestRow read(ResultSet row) throws SQLException {
    State state = State.valueOf(row.getString("state"));
    long leaseLeft = row.getLong("lease_left_millis");
    if (state == State.STARTED && leaseLeft <= 0) {
      state = State.UNKNOWN;
    }
    String why = row.getString("why");
    return new RequestRow(
        readId(row),
        state,
        row.getLong("fence"),
        readFingerprint(row),
        row.getString("operation"),
        row.getString("memo"),
        readMicros(row, "started_micros"),
        row.getLong("started_millis_ago"),
        leaseLeft,
        why == null ? LEASE_ENDED : why,
        state == State.DONE ? readReply(row) : Reply.FAILED);
  }

  /** A moment that was asked for in microseconds since 1970. */
  static Instant readMicros(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000L);
  }

  private static GuardedId readId(ResultSet row) throws SQLException {
    String text = row.getString("key_text");
    Key key =
        text != null
            ? Key.text(text)
            : Key.of(
                Key.Kind.ofCode(row.getInt("key_kind")),
                row.getLong("key_high"),
                row.getLong("key_low"));
    return new GuardedId(row.getString("principal"), new Scope(row.getString("scope")), key);
  }

  private static @Nullable Fingerprint readFingerprint(ResultSet row) throws SQLException {
    long bits = row.getLong("fingerprint");
    return row.wasNull() ? null : new Fingerprint(bits);
  }

  static Reply readReply(ResultSet row) throws SQLException {
    return new Reply(
        Reply.Kind.valueOf(row.getString("reply_kind")), Bytes.of(row.getBytes("reply")));
  }

  /** Sets the parameters of {@link #IDENTITY}, from this index on; returns the next index. */
  static int setIdentity(PreparedStatement statement, int from, GuardedId id) throws SQLException {
    int at = from;
    statement.setString(at++, StorableText.exactly("principal", id.principal()));
    statement.setString(at++, StorableText.exactly("scope", id.scope().name()));
    statement.setShort(at++, (short) id.key().kind().code());
    statement.setLong(at++, id.key().high());
    statement.setLong(at++, id.key().low());
    return at;
  }

  /** Identity, text, date, fingerprint, operation and memo, in this order. */
  static int setAsk(PreparedStatement statement, int from, Ask ask) throws SQLException {
    int at = setIdentity(statement, from, ask.id());
    Key key = ask.id().key();
    statement.setString(at++, textOf(key));
    if (key.isDated()) {
      statement.setLong(at++, key.dateMicros());
    } else {
      statement.setNull(at++, Types.BIGINT);
    }
    at = setFingerprint(statement, at, ask);
    return setDescription(statement, at, ask);
  }

  static int setFingerprint(PreparedStatement statement, int at, Ask ask) throws SQLException {
    Fingerprint fingerprint = ask.fingerprint();
    if (fingerprint == null) {
      statement.setNull(at, Types.BIGINT);
    } else {
      statement.setLong(at, fingerprint.bits());
    }
    return at + 1;
  }

  /** Operation and memo, in this order. */
  static int setDescription(PreparedStatement statement, int from, Ask ask) throws SQLException {
    int at = from;
    statement.setString(at++, StorableText.nearly(ask.operation()));
    statement.setString(at++, StorableText.nearly(ask.memo()));
    return at;
  }

  /** The text of a text key, where it is known: {@code s:order 4711} prints the text. */
  private static @Nullable String textOf(Key key) {
    if (key.kind() != Key.Kind.TEXT) {
      return null;
    }
    String printed = key.toString();
    return printed.startsWith("s:") && printed.indexOf('\0') < 0 ? printed.substring(2) : null;
  }

  /** Whether this record is of another request than the one that is asked for (E7). */
  boolean mismatches(Ask ask) {
    return state != State.ABANDONED
        && state != State.ACKNOWLEDGED
        && ask.fingerprint() != null
        && !ask.fingerprint().equals(fingerprint);
  }

  UnknownRequest unknown() {
    return new UnknownRequest(id, operation, memo, fence, started, startedMillisAgo, why);
  }
}
