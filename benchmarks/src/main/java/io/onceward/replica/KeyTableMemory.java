package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.benchmarks.KeyMemory;
import io.onceward.benchmarks.NumberedIds;
import io.onceward.benchmarks.Replies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyTable}, driven as {@link Replica#apply} drives it: expire, look ahead for the entry
 * as {@link Batch} does, then per request judge, ask for room, remember.
 */
public final class KeyTableMemory implements KeyMemory {
  private static final Bytes NO_COMMAND = Bytes.EMPTY;
  private static final Scope SCOPE = new Scope("tenant");

  /** Flags, number of the scope, key. */
  private static final int IDENTITY_BYTES = 1 + 1 + 16;

  /** A place in the index, and a share of the mark that stands before each entry's records. */
  private static final double BYTES_BESIDE_RECORD =
      IndexLayout.BYTES_PER_ROW + KeyRecord.MARK_BYTES / 64.0;

  private final Parameters parameters = new Parameters();
  private final Room room = new Room(parameters);
  private final Principals principals = new Principals(room);
  private final Principal who = principals.enter(principals.called("someone"));
  private final KeyTable table;
  private Request.@Nullable Keyed[] requests = new Request.@Nullable Keyed[0];

  private int[] refs = new int[0];
  private final Warmth warmth = new Warmth();

  public KeyTableMemory(long retentionMillis) {
    parameters.set(Parameter.RETENTION_MILLIS, retentionMillis);
    parameters.set(Parameter.MAX_TABLE_BYTES, Parameter.MAX_TABLE_BYTES.most());
    parameters.set(Parameter.MAX_PRINCIPAL_BYTES, Parameter.MAX_PRINCIPAL_BYTES.most());
    table = new KeyTable(parameters, principals, room, new Hash(42));
  }

  @Override
  public void prepare(long[] numbers, int count) {
    if (requests.length < count) {
      requests = new Request.@Nullable Keyed[count];
      refs = new int[count];
    }
    for (int i = 0; i < count; i++) {
      requests[i] =
          new Request.Keyed(
              SCOPE,
              key(numbers[i]),
              new Fingerprint(NumberedIds.fingerprint(numbers[i])),
              List.of(),
              NO_COMMAND);
    }
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    table.expire(timeMillis);
    lookAhead(from, to);
    for (int i = from; i < to; i++) {
      Request.Keyed request = request(i);
      long fingerprint = bits(request);
      Verdict verdict =
          table.judge(who, request.scope(), request.key(), true, fingerprint, timeMillis);
      if (!(verdict instanceof Verdict.Execute) || !table.obstacle(who).isEmpty()) {
        throw new IllegalStateException("request " + i + " is not executed: " + verdict);
      }
      table.remember(who, position, timeMillis, true, fingerprint, Replies.REPLY);
    }
  }

  @Override
  public long replay(int from, int to) {
    lookAhead(from, to);
    long sum = 0;
    for (int i = from; i < to; i++) {
      Request.Keyed request = request(i);
      Verdict verdict = table.judge(who, request.scope(), request.key(), true, bits(request), 0);
      if (!(verdict instanceof Verdict.Replay replay)) {
        throw new IllegalStateException("request " + i + " is not replayed: " + verdict);
      }
      sum += replay.reply().bytes().at(0);
    }
    return sum;
  }

  private void lookAhead(int from, int to) {
    if (to - from == 1) {
      return;
    }
    for (int i = from; i < to; i++) {
      Request.Keyed request = request(i);
      warmth.add(table.touchIndex(who, request.scope(), request.key()));
    }
    for (int i = from; i < to; i++) {
      Request.Keyed request = request(i);
      refs[i] = table.peek(who, request.scope(), request.key());
    }
    for (int i = from; i < to; i++) {
      warmth.add(table.touchRecord(refs[i]));
    }
  }

  /** Acknowledges the keys with these numbers, 64 in one request. */
  public void acknowledge(long firstNumber, long endNumber) {
    List<Key> taken = new ArrayList<>();
    for (long number = firstNumber; number < endNumber; number++) {
      taken.add(key(number));
      if (taken.size() == 64 || number == endNumber - 1) {
        table.acknowledge(who, SCOPE, taken);
        taken.clear();
      }
    }
  }

  /** What happens in the table when the log only lets time pass. */
  public void tick() {
    table.tidy();
  }

  @Override
  public void release() {
    Arrays.fill(requests, null);
  }

  @Override
  public long size() {
    return table.size();
  }

  /** What one record should take, by its layout. */
  public static double bytesByLayout() {
    // Fingerprint, position and log time as distances within the chunk, length of the reply.
    int body = Long.BYTES + 1 + 2 + 1 + Replies.REPLY.bytes().length();
    return IDENTITY_BYTES + body + BYTES_BESIDE_RECORD;
  }

  /** What one tombstone should take, by its layout. */
  public static double tombstoneBytesByLayout() {
    return IDENTITY_BYTES + BYTES_BESIDE_RECORD;
  }

  private static Key key(long number) {
    return Key.uuid(NumberedIds.uuid(number));
  }

  private Request.Keyed request(int i) {
    return Objects.requireNonNull(requests[i]);
  }

  private static long bits(Request.Keyed request) {
    return Objects.requireNonNull(request.fingerprint()).bits();
  }
}
