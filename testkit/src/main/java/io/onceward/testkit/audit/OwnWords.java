package io.onceward.testkit.audit;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.List;

/** What a leader logs by itself: it comes with no arrival, one at a time. */
final class OwnWords {
  private static final byte TICK = typeOf(new Request.Tick());
  private static final byte CONFIRM = typeOf(new Request.ConfirmQuarantines(1, List.of()));
  private static final byte COMPARE = typeOf(new Request.CompareDigests());
  private static final byte NAME =
      typeOf(new Request.NameDigest(1, Bytes.of(new byte[Request.NameDigest.DIGEST_BYTES])));

  private OwnWords() {}

  private static byte typeOf(Request request) {
    return RequestCodec.encode(request)[0];
  }

  static boolean isOne(Bytes frame) {
    byte type = frame.length() == 0 ? 0 : frame.at(0);
    return type == TICK || type == CONFIRM || type == COMPARE || type == NAME;
  }
}
