package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.benchmarks.NumberedIds;
import io.onceward.benchmarks.Replies;
import io.onceward.benchmarks.SessionMemory;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SessionTable} with registered clients, driven as {@link Replica#apply} drives it:
 * expire, look ahead for the entry as {@link Batch} does, then per request judge, ask for room,
 * remember.
 */
public final class SessionTableMemory implements SessionMemory {
  private static final int OPENINGS_PER_ENTRY = 64;

  private final Parameters parameters = new Parameters();
  private final Room room = new Room(parameters);
  private final Principals principals = new Principals(room);
  private final Principal who = principals.enter(principals.called("someone"));
  private final SessionTable table;
  private Request.@Nullable InSession[] requests = new Request.@Nullable InSession[0];

  private int[] rows = new int[0];
  private final Warmth warmth = new Warmth();

  public SessionTableMemory() {
    parameters.set(
        Parameter.MAX_SESSIONS_PER_PRINCIPAL, Parameter.MAX_SESSIONS_PER_PRINCIPAL.most());
    parameters.set(Parameter.SESSION_EXPIRY_MILLIS, EXPIRY_MILLIS);
    parameters.set(Parameter.MAX_TABLE_BYTES, Parameter.MAX_TABLE_BYTES.most());
    parameters.set(Parameter.MAX_PRINCIPAL_BYTES, Parameter.MAX_PRINCIPAL_BYTES.most());
    table = new SessionTable(parameters, principals, room, new Hash(42));
  }

  @Override
  public void open(int client, long timeMillis) {
    table.store().expire(timeMillis);
    UUID nonce = NumberedIds.uuid(client);
    Request.Open opening =
        new Request.Open(
            ClientKind.REGISTERED,
            "",
            nonce.getMostSignificantBits(),
            nonce.getLeastSignificantBits(),
            0,
            0,
            false,
            true,
            0);
    Decision decision = table.open(who, opening, incarnation(client), 0);
    if (!(decision instanceof Decision.Opened)) {
      throw new IllegalStateException("client " + client + " is not opened: " + decision);
    }
  }

  /** Where the opening stands in the log, if 64 of them share an entry. */
  private static long incarnation(int client) {
    long position = 1L + client / OPENINGS_PER_ENTRY;
    return position << 16 | client % OPENINGS_PER_ENTRY;
  }

  @Override
  public void prepare(int[] clients, int[] sequences, int count) {
    if (requests.length < count) {
      requests = new Request.@Nullable InSession[count];
      rows = new int[count];
    }
    for (int i = 0; i < count; i++) {
      long incarnation = incarnation(clients[i]);
      requests[i] =
          new Request.InSession(
              new Request.Address(0, incarnation, incarnation),
              sequences[i],
              sequences[i],
              new Fingerprint(NumberedIds.fingerprint(sequences[i])),
              Bytes.EMPTY);
    }
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    table.store().expire(timeMillis);
    lookAhead(from, to);
    for (int i = from; i < to; i++) {
      Request.InSession request = request(i);
      long fingerprint = Objects.requireNonNull(request.fingerprint()).bits();
      Verdict verdict =
          table.judge(
              who,
              rows[i],
              request.address(),
              request.sequence(),
              request.watermark(),
              true,
              fingerprint);
      if (!(verdict instanceof Verdict.Execute) || !table.obstacle(who).isEmpty()) {
        throw new IllegalStateException("request " + i + " is not executed: " + verdict);
      }
      table.remember(who, position, timeMillis, true, fingerprint, Replies.REPLY);
    }
  }

  private void lookAhead(int from, int to) {
    if (to - from == 1) {
      rows[from] = 0;
      return;
    }
    SessionStore store = table.store();
    for (int i = from; i < to; i++) {
      warmth.add(store.touchIndex(request(i).address().session()));
    }
    for (int i = from; i < to; i++) {
      rows[i] = store.peek(request(i).address().session());
    }
    for (int i = from; i < to; i++) {
      rows[i] = store.touchRow(rows[i], request(i).address().session());
    }
    for (int i = from; i < to; i++) {
      warmth.add(store.touchReply(rows[i], request(i).sequence()));
    }
  }

  @Override
  public void release() {
    Arrays.fill(requests, null);
  }

  @Override
  public long size() {
    return table.store().size();
  }

  /** What an idle session should take, by its layout: a row, and a place in two indexes. */
  public static double idleBytesByLayout() {
    return SessionRow.BYTES + 2 * IndexLayout.BYTES_PER_ROW;
  }

  /** What a session with one reply should take, by its layout. */
  public static double liveBytesByLayout() {
    // Position, log time, fingerprint and shape stand before the reply.
    int reply = 3 * Long.BYTES + Integer.BYTES + Replies.REPLY.bytes().length();
    return idleBytesByLayout() + Blocks.rounded(reply);
  }

  private Request.InSession request(int i) {
    return Objects.requireNonNull(requests[i]);
  }
}
