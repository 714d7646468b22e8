package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Log entries with the right mix of sense and nonsense to drive a replica through all its states:
 * sessions that are used, reopened, closed and left to expire, keys that are retried, acknowledged,
 * abandoned and dropped, time that passes in small and large steps.
 */
final class RandomTraffic {
  private static final String[] PRINCIPALS = {"alice", "bob", "carol"};
  private static final Scope[] SCOPES = {Scope.NONE, new Scope("a"), new Scope("b")};

  private final Random random;
  private final List<Request.Address> addresses = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();
  private final long[] sequences = new long[1 << 12];
  private long position;
  private long term = 1;
  private long stampMillis = 1_700_000_000_000L;

  RandomTraffic(long seed) {
    this.random = new Random(seed);
  }

  long position() {
    return position;
  }

  long term() {
    return term;
  }

  /** The next entry of the log. */
  byte[] next() {
    position += 1 + random.nextInt(2);
    term += random.nextInt(40) == 0 ? 1 : 0;
    stampMillis += random.nextInt(100) == 0 ? random.nextInt(40_000_000) : random.nextInt(3_000);
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      proposals.add(new LogEntry.Proposal(oneOf(PRINCIPALS), request()));
    }
    return new LogEntry(0, stampMillis, proposals).encode();
  }

  /** Learns which sessions exist. */
  void decided(int ordinal, Decision decision) {
    if (decision instanceof Decision.Opened opened) {
      addresses.add(new Request.Address(0, opened.session(), opened.incarnation()));
    }
  }

  private Request request() {
    int draw = random.nextInt(100);
    if (draw < 12) {
      return open();
    }
    if (draw < 50 && !addresses.isEmpty()) {
      return inSession();
    }
    if (draw < 85) {
      return keyed();
    }
    return switch (random.nextInt(20)) {
      case 0 -> new Request.Unkeyed(Bytes.utf8("unkeyed"));
      case 1 -> new Request.Forget(stampMillis - 600_000 - random.nextInt(10_000_000));
      case 2 ->
          new Request.SetParameter(Parameter.RETENTION_MILLIS, 600_000L * (1 + random.nextInt(6)));
      case 3 ->
          new Request.SetParameter(
              Parameter.SESSION_EXPIRY_MILLIS, 1_000L * (1 + random.nextInt(200)));
      case 4 ->
          new Request.SetScope(
              oneOf(SCOPES), 600_000L * (1 + random.nextInt(6)), random.nextInt(4) == 0);
      case 5 -> new Request.AbandonKey(oneOf(SCOPES), key());
      case 6 -> new Request.Acknowledge(oneOf(SCOPES), List.of(key(), key()));
      case 7 -> new Request.Alias("dave" + random.nextInt(3), oneOf(PRINCIPALS));
      case 8 ->
          random.nextInt(20) == 0
              ? new Request.FormCluster(new ClusterId(0, 1))
              : new Request.Tick();
      case 9 ->
          new Request.SetParameter(
              Parameter.MAX_TABLE_BYTES, (1 << 16) + (long) random.nextInt(4 << 20));
      case 10 -> addresses.isEmpty() ? new Request.Tick() : new Request.Close(address());
      case 11 -> new Request.ForgetByAge(random.nextInt(2_000_000));
      case 12 -> new Request.SetScope(oneOf(SCOPES), 0, false);
      // More retentions than there may be at a time: one takes the place of another.
      case 13 -> new Request.SetScope(oneOf(SCOPES), 600_000L + random.nextInt(40), false);
      case 14 ->
          new Request.SetParameter(
              Parameter.DURABLE_EXPIRY_MILLIS, 1_000L * (1 + random.nextInt(2_000)));
      case 15 ->
          new Request.SetParameter(Parameter.KEEP_ALIVE_MILLIS, 100L + random.nextInt(20_000));
      case 16 -> new Request.SetParameter(Parameter.MAX_WINDOW, 1L + random.nextInt(64));
      case 17 ->
          new Request.SetParameter(
              Parameter.MAX_PRINCIPAL_BYTES, (1 << 12) + (long) random.nextInt(4 << 20));
      case 18 ->
          new Request.SetParameter(Parameter.MAX_SESSIONS_PER_PRINCIPAL, 1L + random.nextInt(40));
      default -> new Request.Tick();
    };
  }

  private Request open() {
    ClientKind kind = oneOf(ClientKind.values());
    long predecessor = addresses.isEmpty() || random.nextInt(3) == 0 ? 0 : address().incarnation();
    return new Request.Open(
        kind,
        kind == ClientKind.REGISTERED ? "" : "name" + random.nextInt(5),
        random.nextInt(50),
        kind.code(),
        0,
        predecessor,
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextInt(3) == 0 ? 1 + random.nextInt(64) : 0);
  }

  private Request inSession() {
    Request.Address address = address();
    int at = (int) (address.session() >> 16) & (sequences.length - 1);
    long sequence = Math.max(1, sequences[at] + random.nextInt(4) - 1);
    sequences[at] = Math.max(sequences[at], sequence);
    long watermark = Math.max(1, sequence - random.nextInt(6));
    return switch (random.nextInt(12)) {
      case 0 -> new Request.KeepAlive(address, watermark);
      case 1 -> new Request.AbandonSequence(address, sequence);
      default -> new Request.InSession(address, sequence, watermark, fingerprint(), command());
    };
  }

  private Request keyed() {
    Key key = key();
    List<Key> acknowledged = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Key other = key();
      if (!other.equals(key)) {
        acknowledged.add(other);
      }
    }
    return new Request.Keyed(oneOf(SCOPES), key, fingerprint(), acknowledged, command());
  }

  private Key key() {
    if (keys.isEmpty() || random.nextInt(3) == 0) {
      keys.add(
          switch (random.nextInt(4)) {
            case 0 -> Key.of(Key.Kind.HASH, random.nextLong(), random.nextLong());
            case 1 -> Key.text("k" + keys.size());
            default -> Key.dated(1_000 * (stampMillis + random.nextInt(9_000)), random.nextLong());
          });
    }
    int age = Math.min(keys.size(), 1 + random.nextInt(random.nextInt(5) == 0 ? 2_000 : 40));
    return keys.get(keys.size() - age);
  }

  private Fingerprint fingerprint() {
    return random.nextInt(4) == 0 ? null : new Fingerprint(random.nextInt(20) == 0 ? 2 : 1);
  }

  private Bytes command() {
    return switch (random.nextInt(40)) {
      case 0 -> Bytes.utf8("throw");
      case 1 -> Bytes.utf8("big " + random.nextInt(50_000));
      case 2 -> Bytes.utf8("big 1100000");
      case 3 -> Bytes.utf8("no money");
      default -> Bytes.utf8("c" + random.nextInt(1_000));
    };
  }

  private Request.Address address() {
    int age = Math.min(addresses.size(), 1 + random.nextInt(12));
    return addresses.get(addresses.size() - age);
  }

  @SafeVarargs
  private <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
