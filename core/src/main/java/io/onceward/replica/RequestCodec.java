package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;

/**
 * The bytes of one request, as its client frames them and as they stand in the log. A request has
 * one frame and a frame means one request: what is decoded and encoded again gives the same bytes.
 * The layout is in docs/bytes.md.
 */
public final class RequestCodec {
  private RequestCodec() {}

  /**
   * Frames a request.
   *
   * @throws IllegalArgumentException if a part of it is over a fixed limit or has no frame
   */
  public static byte[] encode(Request request) {
    return RequestEncoder.encode(request);
  }

  /**
   * Reads one request; commands are views into the frame.
   *
   * @throws DamagedException naming the offset in the frame and what is wrong there
   */
  public static Request decode(Bytes frame) {
    return new RequestDecoder().decode(frame);
  }

  /**
   * Whether this build knows what the frame asks for. If it does and the frame does not decode, the
   * frame is malformed for every build, now and later. If it does not, a later build may well
   * execute it: refusing it here would make replicas differ.
   */
  public static boolean knownType(Bytes frame) {
    return !RequestType.isFromLaterBuild(frame);
  }
}
