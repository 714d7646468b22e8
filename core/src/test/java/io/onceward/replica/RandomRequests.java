package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests of every type, drawn from a seed: the same seed gives the same requests. They can all be
 * framed, but they need not make sense: numbers lean to the borders of what is allowed.
 */
public final class RandomRequests {
  /** How many types of request there are. */
  public static final int TYPES = Request.class.getPermittedSubclasses().length;

  private static final String[] LETTERS = {"a", "Z", "0", "/", "ß", "€", "\ud83d\ude80", "\0"};

  private final SplittableRandom random;

  public RandomRequests(long seed) {
    random = new SplittableRandom(seed);
  }

  public Request next() {
    return next(random.nextInt(TYPES));
  }

  /** A request of the given type, counted from 0 to {@link #TYPES} - 1. */
  public Request next(int type) {
    return switch (type) {
      case 0 -> open();
      case 1 -> new Request.InSession(address(), fromOne(), fromOne(), fingerprint(), bytes(100));
      case 2 -> new Request.KeepAlive(address(), fromOne());
      case 3 -> new Request.Close(address());
      case 4 -> new Request.AbandonSequence(address(), fromOne());
      case 5 -> keyed();
      case 6 -> new Request.Acknowledge(scope(), keys(30));
      case 7 -> new Request.AbandonKey(scope(), key());
      case 8 -> new Request.Unkeyed(bytes(100));
      case 9 -> new Request.Forget(number());
      case 10 -> new Request.SetParameter(oneOf(Parameter.values()), number());
      case 11 -> new Request.SetScope(scope(), number(), random.nextBoolean());
      case 12 -> new Request.Alias(text(Limits.PRINCIPAL_BYTES), text(Limits.PRINCIPAL_BYTES));
      case 13 -> new Request.FormCluster(clusterId());
      case 14 -> new Request.Tick();
      case 16 -> new Request.EnableService("s" + text(Limits.SERVICE_NAME_BYTES - 1));
      case 15 -> new Request.ReformCluster(clusterId(), clusterId());
      case 17 -> new Request.ForgetByAge(number());
      case 18 -> new Request.ConfirmQuarantines(fromOne(), places());
      case 19 -> new Request.CompareDigests();
      case 20 -> new Request.NameDigest(fromOne(), Bytes.of(digest()));
      default -> throw new AssertionError("no request of type " + type + " is drawn");
    };
  }

  private List<LogPlace> places() {
    TreeSet<LogPlace> places = new TreeSet<>();
    for (int left = random.nextInt(4); left > 0; left--) {
      places.add(
          new LogPlace(random.nextLong(Replica.MAX_POSITION), random.nextInt(Limits.PROPOSALS)));
    }
    return List.copyOf(places);
  }

  private byte[] digest() {
    byte[] digest = new byte[Request.NameDigest.DIGEST_BYTES];
    random.nextBytes(digest);
    return digest;
  }

  private Request open() {
    ClientKind kind = oneOf(ClientKind.values());
    return new Request.Open(
        kind,
        kind == ClientKind.REGISTERED ? "" : "n" + text(Limits.NAME_BYTES - 1),
        number(),
        number(),
        number(),
        number(),
        random.nextBoolean(),
        random.nextBoolean(),
        (int) (number() & Integer.MAX_VALUE));
  }

  private Request keyed() {
    Key key = key();
    List<Key> acknowledged = keys(5);
    acknowledged.removeIf(key::equals);
    return new Request.Keyed(scope(), key, fingerprint(), acknowledged, bytes(100));
  }

  private Request.Address address() {
    long session = number();
    boolean reopened = random.nextBoolean();
    return new Request.Address(number(), session, reopened ? number() : session);
  }

  private @Nullable Fingerprint fingerprint() {
    return random.nextBoolean() ? new Fingerprint(number()) : null;
  }

  public Scope scope() {
    return random.nextInt(4) == 0 ? Scope.NONE : new Scope(text(Limits.SCOPE_BYTES));
  }

  public Key key() {
    Key.Kind kind = oneOf(Key.Kind.values());
    boolean dated = kind == Key.Kind.DATED;
    return Key.of(kind, dated ? random.nextLong(1L << 50) : number(), number());
  }

  private List<Key> keys(int most) {
    int count = random.nextInt(most + 1);
    List<Key> keys = new ArrayList<>();
    while (keys.size() < count) {
      keys.add(key());
    }
    return keys;
  }

  public Bytes bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }

  /** A text whose UTF-8 is no longer than {@code mostBytes}. */
  public String text(int mostBytes) {
    StringBuilder text = new StringBuilder();
    int letters = random.nextInt(mostBytes / 4 + 1);
    for (int i = 0; i < letters; i++) {
      text.append(oneOf(LETTERS));
    }
    return text.toString();
  }

  /** Any number; small ones, borders and powers of two more often than others. */
  public long number() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(4);
      case 1 -> (1L << random.nextInt(64)) + random.nextInt(3) - 1;
      case 2 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
      default -> random.nextLong();
    };
  }

  private long fromOne() {
    return Math.max(1, number() & Long.MAX_VALUE);
  }

  private <T> T oneOf(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private ClusterId clusterId() {
    return new ClusterId(number(), number());
  }
}
