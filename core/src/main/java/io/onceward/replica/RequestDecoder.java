package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.DamagedException;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads framed requests, one after the other, on one thread. Two frames that differ never give
 * equal requests. Requests come in runs of one scope, so the last scope is kept and given again.
 * Whoever reads many keeps one; {@link RequestCodec#decode} is for the odd frame.
 */
public final class RequestDecoder {
  private static final Request TICK = new Request.Tick();

  private final ByteReader in = new ByteReader("request", Bytes.EMPTY);
  private Bytes lastScopeBytes = Bytes.EMPTY;
  private Scope lastScope = Scope.NONE;

  /**
   * Reads one request; its command is a view into the frame.
   *
   * @throws DamagedException naming the offset in the frame and what is wrong there
   */
  public Request decode(Bytes frame) {
    if (frame.length() > Limits.FRAME_BYTES) {
      throw in.damaged(
          0, "frame has " + frame.length() + " bytes; allowed are 0 to " + Limits.FRAME_BYTES);
    }
    in.startAt(frame);
    int type = in.u8();
    int flags = in.u8();
    Request request =
        switch (type) {
          case RequestType.IN_SESSION -> inSession(flags);
          case RequestType.KEYED -> keyed(flags);
          case RequestType.UNKEYED -> unkeyed(flags);
          case RequestType.KEEP_ALIVE -> keepAlive(flags);
          case RequestType.OPEN -> open(flags);
          case RequestType.CLOSE -> close(flags);
          case RequestType.ABANDON_SEQUENCE -> abandonSequence(flags);
          case RequestType.ACKNOWLEDGE -> acknowledge(flags);
          case RequestType.ABANDON_KEY -> abandonKey(flags);
          case RequestType.FORGET -> forget(flags);
          case RequestType.FORGET_BY_AGE -> forgetByAge(flags);
          case RequestType.SET_PARAMETER -> setParameter(flags);
          case RequestType.SET_SCOPE -> setScope(flags);
          case RequestType.ALIAS -> alias(flags);
          case RequestType.FORM_CLUSTER -> formCluster(flags);
          case RequestType.REFORM_CLUSTER -> reformCluster(flags);
          case RequestType.ENABLE_SERVICE -> enableService(flags);
          case RequestType.CONFIRM_QUARANTINES -> confirmQuarantines(flags);
          case RequestType.COMPARE_DIGESTS -> compareDigests(flags);
          case RequestType.NAME_DIGEST -> nameDigest(flags);
          case RequestType.TICK -> tick(flags);
          default -> throw in.damaged(0, "request type " + type + " is unknown to this build");
        };
    in.finish();
    return request;
  }

  private Request inSession(int flags) {
    allow(flags, RequestFlags.FINGERPRINT);
    return new Request.InSession(
        address(), fromOne("sequence"), fromOne("watermark"), fingerprint(flags), command());
  }

  private Request keyed(int flags) {
    allow(flags, RequestFlags.FINGERPRINT);
    Scope scope = scope();
    Key key = key();
    Fingerprint fingerprint = fingerprint(flags);
    return new Request.Keyed(scope, key, fingerprint, keys(key), command());
  }

  private Request unkeyed(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.Unkeyed(command());
  }

  private Request keepAlive(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.KeepAlive(address(), fromOne("watermark"));
  }

  private Request open(int flags) {
    allow(flags, RequestFlags.FROM_JOURNAL | RequestFlags.ORDERED);
    ClientKind kind = clientKind();
    long at = in.offset();
    String name = in.utf8("name", Limits.NAME_BYTES);
    if (name.isEmpty() != (kind == ClientKind.REGISTERED)) {
      throw in.damaged(at, RequestEncoder.nameRule(kind));
    }
    return new Request.Open(
        kind,
        name,
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        (flags & RequestFlags.FROM_JOURNAL) != 0,
        (flags & RequestFlags.ORDERED) != 0,
        (int) in.number("window", 0, Integer.MAX_VALUE));
  }

  private Request close(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.Close(address());
  }

  private Request abandonSequence(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.AbandonSequence(address(), fromOne("sequence"));
  }

  private Request acknowledge(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.Acknowledge(scope(), keys(null));
  }

  private Request abandonKey(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.AbandonKey(scope(), key());
  }

  private Request forget(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.Forget(in.i64());
  }

  private Request forgetByAge(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.ForgetByAge(in.i64());
  }

  private Request setParameter(int flags) {
    allow(flags, RequestFlags.NONE);
    long at = in.offset();
    int code = in.u8();
    try {
      return new Request.SetParameter(Parameter.ofCode(code), in.i64());
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  private Request setScope(int flags) {
    allow(flags, RequestFlags.DATED_ONLY);
    return new Request.SetScope(scope(), in.i64(), (flags & RequestFlags.DATED_ONLY) != 0);
  }

  private Request alias(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.Alias(
        in.utf8("principal", Limits.PRINCIPAL_BYTES), in.utf8("principal", Limits.PRINCIPAL_BYTES));
  }

  private Request formCluster(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.FormCluster(clusterId());
  }

  private Request reformCluster(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.ReformCluster(clusterId(), clusterId());
  }

  private Request enableService(int flags) {
    allow(flags, RequestFlags.NONE);
    long at = in.offset();
    String name = in.utf8("service", Limits.SERVICE_NAME_BYTES);
    if (name.isEmpty()) {
      throw in.damaged(at, "a service has a name");
    }
    return new Request.EnableService(name);
  }

  private Request confirmQuarantines(int flags) {
    allow(flags, RequestFlags.NONE);
    long upTo = fromOne("position");
    int count = (int) in.number("number of places", 0, Limits.QUARANTINED);
    List<LogPlace> places = new ArrayList<>(count);
    LogPlace before = null;
    for (int i = 0; i < count; i++) {
      before = LogPlace.read(in, before);
      places.add(before);
    }
    return new Request.ConfirmQuarantines(upTo, places);
  }

  private Request compareDigests(int flags) {
    allow(flags, RequestFlags.NONE);
    return new Request.CompareDigests();
  }

  private Request nameDigest(int flags) {
    allow(flags, RequestFlags.NONE);
    long position = fromOne("position");
    byte[] digest = new byte[Request.NameDigest.DIGEST_BYTES];
    in.readFully(digest, 0, digest.length);
    return new Request.NameDigest(position, Bytes.of(digest));
  }

  private ClusterId clusterId() {
    return new ClusterId(in.i64(), in.i64());
  }

  private Request tick(int flags) {
    allow(flags, RequestFlags.NONE);
    return TICK;
  }

  private void allow(int flags, int defined) {
    if ((flags & ~defined) != 0) {
      throw in.damaged(1, "flags " + flags + "; defined are the bits of " + defined);
    }
  }

  private Request.Address address() {
    long clusterTag = in.i64();
    long session = in.i64();
    return new Request.Address(clusterTag, session, session + in.varint());
  }

  private long fromOne(String what) {
    return in.number(what, 1, Long.MAX_VALUE);
  }

  private @Nullable Fingerprint fingerprint(int flags) {
    return (flags & RequestFlags.FINGERPRINT) == 0 ? null : new Fingerprint(in.i64());
  }

  private Bytes command() {
    return in.view(in.left());
  }

  private ClientKind clientKind() {
    long at = in.offset();
    int code = in.u8();
    try {
      return ClientKind.ofCode(code);
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  private Scope scope() {
    int start = in.position;
    int length = in.length("scope", Limits.SCOPE_BYTES);
    Bytes bytes = in.view(length);
    if (!bytes.equals(lastScopeBytes)) {
      in.position = start;
      lastScope = new Scope(in.utf8("scope", Limits.SCOPE_BYTES));
      // A copy, so that one scope does not keep a whole log entry in memory.
      lastScopeBytes = Bytes.of(bytes.toArray());
    }
    return lastScope;
  }

  private Key key() {
    long at = in.offset();
    int kind = in.u8();
    long high = in.i64();
    long low = in.i64();
    try {
      return Key.of(Key.Kind.ofCode(kind), high, low);
    } catch (IllegalArgumentException e) {
      throw in.damaged(at, String.valueOf(e.getMessage()));
    }
  }

  /** The acknowledged keys, among which {@code own} must not be. */
  private List<Key> keys(@Nullable Key own) {
    int count = (int) in.number("number of acknowledged keys", 0, Limits.ACKNOWLEDGED_KEYS);
    if (count == 0) {
      return List.of();
    }
    List<Key> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long at = in.offset();
      Key key = key();
      if (key.equals(own)) {
        throw in.damaged(at, "the request acknowledges its own key");
      }
      keys.add(key);
    }
    return List.copyOf(keys);
  }
}
