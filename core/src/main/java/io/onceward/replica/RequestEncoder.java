package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frames requests. What {@link RequestDecoder} would not accept is an {@code
 * IllegalArgumentException} here: an encoder never makes a frame that is refused as malformed.
 */
final class RequestEncoder {
  /** The fields of most requests fit; what does not makes the buffer grow. */
  private static final int USUAL_BYTES = 64;

  private final ByteWriter out;

  private RequestEncoder(int expectedBytes) {
    out = new ByteWriter(expectedBytes);
  }

  static byte[] encode(Request request) {
    RequestEncoder encoder = new RequestEncoder(USUAL_BYTES + commandOf(request).length());
    encoder.write(request);
    int length = encoder.out.length();
    if (length > Limits.FRAME_BYTES) {
      throw refused(length + " bytes; at most " + Limits.FRAME_BYTES + " are allowed");
    }
    return encoder.out.toArray();
  }

  private static Bytes commandOf(Request request) {
    if (request instanceof Request.InSession r) {
      return r.command();
    } else if (request instanceof Request.Keyed r) {
      return r.command();
    } else if (request instanceof Request.Unkeyed r) {
      return r.command();
    }
    return Bytes.EMPTY;
  }

  private void write(Request request) {
    if (request instanceof Request.InSession r) {
      begin(RequestType.IN_SESSION, flagOf(r.fingerprint()));
      address(r.address());
      fromOne("sequence", r.sequence());
      fromOne("watermark", r.watermark());
      fingerprint(r.fingerprint());
      out.raw(r.command());
    } else if (request instanceof Request.Keyed r) {
      if (r.acknowledged().contains(r.key())) {
        throw refused("it acknowledges its own key " + r.key());
      }
      begin(RequestType.KEYED, flagOf(r.fingerprint()));
      scope(r.scope());
      key(r.key());
      fingerprint(r.fingerprint());
      keys(r.acknowledged());
      out.raw(r.command());
    } else if (request instanceof Request.Unkeyed r) {
      begin(RequestType.UNKEYED, RequestFlags.NONE);
      out.raw(r.command());
    } else if (request instanceof Request.KeepAlive r) {
      begin(RequestType.KEEP_ALIVE, RequestFlags.NONE);
      address(r.address());
      fromOne("watermark", r.watermark());
    } else if (request instanceof Request.Open r) {
      open(r);
    } else if (request instanceof Request.Close r) {
      begin(RequestType.CLOSE, RequestFlags.NONE);
      address(r.address());
    } else if (request instanceof Request.AbandonSequence r) {
      begin(RequestType.ABANDON_SEQUENCE, RequestFlags.NONE);
      address(r.address());
      fromOne("sequence", r.sequence());
    } else if (request instanceof Request.Acknowledge r) {
      begin(RequestType.ACKNOWLEDGE, RequestFlags.NONE);
      scope(r.scope());
      keys(r.acknowledged());
    } else if (request instanceof Request.AbandonKey r) {
      begin(RequestType.ABANDON_KEY, RequestFlags.NONE);
      scope(r.scope());
      key(r.key());
    } else if (request instanceof Request.Forget r) {
      begin(RequestType.FORGET, RequestFlags.NONE);
      out.i64(r.beforeMillis());
    } else if (request instanceof Request.ForgetByAge r) {
      begin(RequestType.FORGET_BY_AGE, RequestFlags.NONE);
      out.i64(r.beforeAgeMillis());
    } else if (request instanceof Request.SetParameter r) {
      begin(RequestType.SET_PARAMETER, RequestFlags.NONE);
      out.u8(r.parameter().code());
      out.i64(r.value());
    } else if (request instanceof Request.SetScope r) {
      begin(RequestType.SET_SCOPE, r.datedOnly() ? RequestFlags.DATED_ONLY : RequestFlags.NONE);
      scope(r.scope());
      out.i64(r.retentionMillis());
    } else if (request instanceof Request.Alias r) {
      begin(RequestType.ALIAS, RequestFlags.NONE);
      out.utf8("principal", r.name(), Limits.PRINCIPAL_BYTES);
      out.utf8("principal", r.principal(), Limits.PRINCIPAL_BYTES);
    } else if (request instanceof Request.FormCluster r) {
      begin(RequestType.FORM_CLUSTER, RequestFlags.NONE);
      clusterId(r.id());
    } else if (request instanceof Request.ReformCluster r) {
      begin(RequestType.REFORM_CLUSTER, RequestFlags.NONE);
      clusterId(r.former());
      clusterId(r.id());
    } else if (request instanceof Request.EnableService r) {
      if (r.name().isEmpty()) {
        throw refused("a service has a name");
      }
      begin(RequestType.ENABLE_SERVICE, RequestFlags.NONE);
      out.utf8("service", r.name(), Limits.SERVICE_NAME_BYTES);
    } else if (request instanceof Request.ConfirmQuarantines r) {
      confirmQuarantines(r);
    } else if (request instanceof Request.CompareDigests) {
      begin(RequestType.COMPARE_DIGESTS, RequestFlags.NONE);
    } else if (request instanceof Request.NameDigest r) {
      if (r.digest().length() != Request.NameDigest.DIGEST_BYTES) {
        throw refused(r.digest().length() + " bytes of a digest");
      }
      begin(RequestType.NAME_DIGEST, RequestFlags.NONE);
      fromOne("position", r.position());
      out.raw(r.digest());
    } else if (request instanceof Request.Tick) {
      begin(RequestType.TICK, RequestFlags.NONE);
    } else {
      throw new AssertionError("a request without a layout: " + request);
    }
  }

  private void begin(int type, int flags) {
    out.u8(type);
    out.u8(flags);
  }

  private void confirmQuarantines(Request.ConfirmQuarantines r) {
    int count = r.places().size();
    if (count > Limits.QUARANTINED) {
      throw refused(count + " places; at most " + Limits.QUARANTINED + " are allowed");
    }
    begin(RequestType.CONFIRM_QUARANTINES, RequestFlags.NONE);
    fromOne("position", r.upTo());
    out.varint(count);
    LogPlace before = null;
    for (LogPlace place : r.places()) {
      if (before != null && place.compareTo(before) <= 0) {
        throw refused(place + " stands behind " + before);
      }
      place.write(out);
      before = place;
    }
  }

  private void clusterId(ClusterId id) {
    out.i64(id.high());
    out.i64(id.low());
  }

  private void open(Request.Open r) {
    boolean registered = r.kind() == ClientKind.REGISTERED;
    if (registered != r.name().isEmpty()) {
      throw refused(nameRule(r.kind()));
    }
    if (r.window() < 0) {
      throw refused("window " + r.window() + "; it must not be negative");
    }
    begin(
        RequestType.OPEN,
        (r.fromJournal() ? RequestFlags.FROM_JOURNAL : 0)
            | (r.ordered() ? RequestFlags.ORDERED : 0));
    out.u8(r.kind().code());
    out.utf8("name", r.name(), Limits.NAME_BYTES);
    out.i64(r.nonceHigh());
    out.i64(r.nonceLow());
    out.i64(r.clusterTag());
    out.i64(r.predecessor());
    out.varint(r.window());
  }

  static String nameRule(ClientKind kind) {
    return kind == ClientKind.REGISTERED
        ? "a registered client has no name"
        : "a client of kind " + kind + " must have a name";
  }

  private void address(Request.Address address) {
    out.i64(address.clusterTag());
    out.i64(address.session());
    // Usually 0. The difference may overflow; the decoder's sum then overflows back.
    out.varint(address.incarnation() - address.session());
  }

  private void fromOne(String what, long value) {
    if (value < 1) {
      throw refused(what + " " + value + "; it must be 1 or more");
    }
    out.varint(value);
  }

  private void scope(Scope scope) {
    out.utf8("scope", scope.name(), Limits.SCOPE_BYTES);
  }

  private void keys(List<Key> keys) {
    if (keys.size() > Limits.ACKNOWLEDGED_KEYS) {
      throw refused(
          "it acknowledges "
              + keys.size()
              + " keys; at most "
              + Limits.ACKNOWLEDGED_KEYS
              + " are allowed");
    }
    out.varint(keys.size());
    for (Key key : keys) {
      key(key);
    }
  }

  private void key(Key key) {
    out.u8(key.kind().code());
    out.i64(key.high());
    out.i64(key.low());
  }

  private static int flagOf(@Nullable Fingerprint fingerprint) {
    return fingerprint == null ? RequestFlags.NONE : RequestFlags.FINGERPRINT;
  }

  private void fingerprint(@Nullable Fingerprint fingerprint) {
    if (fingerprint != null) {
      out.i64(fingerprint.bits());
    }
  }

  private static IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException("the request has no frame: " + reason);
  }
}
