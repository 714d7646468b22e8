package io.onceward.replica;

import io.onceward.Bytes;

/**
 * The first byte of a request's frame. A code is never reused and the layout behind it never
 * changes: whatever is new gets a new code, also if only a flag is new. A build that meets a code
 * above its knowledge can then tell "later than me" from "broken", and stop instead of refusing
 * what other replicas execute.
 *
 * <p>Codes come in rows of 16 with room behind each row. 0 is never given away, since zeroes are
 * what damage often looks like.
 */
final class RequestType {
  static final int NEVER = 0x00;

  static final int OPEN = 0x10;
  static final int IN_SESSION = 0x11;
  static final int KEEP_ALIVE = 0x12;
  static final int CLOSE = 0x13;
  static final int ABANDON_SEQUENCE = 0x14;

  static final int KEYED = 0x20;
  static final int ACKNOWLEDGE = 0x21;
  static final int ABANDON_KEY = 0x22;

  static final int UNKEYED = 0x30;

  static final int FORGET = 0x40;
  static final int SET_PARAMETER = 0x41;
  static final int SET_SCOPE = 0x42;
  static final int ALIAS = 0x43;
  static final int FORM_CLUSTER = 0x44;
  static final int REFORM_CLUSTER = 0x45;
  static final int ENABLE_SERVICE = 0x46;
  static final int FORGET_BY_AGE = 0x47;
  static final int CONFIRM_QUARANTINES = 0x48;
  static final int COMPARE_DIGESTS = 0x49;
  static final int NAME_DIGEST = 0x4a;

  static final int TICK = 0x50;

  private static final int PARAMETER_INDEX = 2;

  private RequestType() {}

  static boolean isFormation(Bytes frame) {
    return frame.length() > 0 && (frame.at(0) & 0xff) == FORM_CLUSTER;
  }

  /** Whether applying this may have to stop the replica before anything changes. */
  static boolean mayStopReplica(Bytes frame) {
    if (frame.length() == 0) {
      return false;
    }
    int type = frame.at(0) & 0xff;
    return type == ENABLE_SERVICE || type == CONFIRM_QUARANTINES;
  }

  /** Whether a later build may understand a frame that this one does not. */
  static boolean isFromLaterBuild(Bytes frame) {
    if (frame.length() == 0) {
      return false;
    }
    return switch (frame.at(0) & 0xff) {
      case NEVER,
          OPEN,
          IN_SESSION,
          KEEP_ALIVE,
          CLOSE,
          ABANDON_SEQUENCE,
          KEYED,
          ACKNOWLEDGE,
          ABANDON_KEY,
          UNKEYED,
          FORGET,
          SET_SCOPE,
          ALIAS,
          FORM_CLUSTER,
          REFORM_CLUSTER,
          ENABLE_SERVICE,
          FORGET_BY_AGE,
          CONFIRM_QUARANTINES,
          COMPARE_DIGESTS,
          NAME_DIGEST,
          TICK ->
          false;
      // Parameters are the one thing that is added without a code of its own.
      case SET_PARAMETER ->
          frame.length() > PARAMETER_INDEX
              && (frame.at(PARAMETER_INDEX) & 0xff) >= Parameter.values().length;
      default -> true;
    };
  }
}
