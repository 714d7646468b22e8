package io.onceward.services;

import io.onceward.Bytes;

/**
 * What the shipped services accept at most. The limits are the same on every node and in every
 * configuration, because they decide replies. A value is limited by what a command may take ({@link
 * io.onceward.replica.Parameter#MAX_COMMAND_BYTES}).
 */
public final class ServiceLimits {
  /** A key of the key-value service, in bytes; at least 1. */
  public static final int KEY_BYTES = 1 << 10;

  /** The name of a counter or lease, or of a lease's holder, in UTF-8; at least 1. */
  public static final int NAME_BYTES = 1 << 10;

  /** Entries in one page of a list. */
  public static final int LIST_ENTRIES = 1_000;

  /** A page of a list ends with the entry that passes this. */
  public static final int LIST_BYTES = 1 << 20;

  /** The longest time to live of a lease: 366 days. */
  public static final long LEASE_MILLIS = 366L * 24 * 60 * 60 * 1000;

  /** The name of a store of the claims service, in UTF-8; at least 1. */
  public static final int STORE_NAME_BYTES = 128;

  /** Stores in the claims service, of all principals. */
  public static final int CLAIM_STORES = 1 << 10;

  /** Scopes of one store that accept dated keys only. */
  public static final int CLAIM_SCOPES = 1 << 10;

  /** Requests that the claims service knows, decided ones included, in all its stores. */
  public static final int CLAIMS = 1_000_000;

  /** What they take, with room for the reply of each that is under way. */
  public static final long CLAIMS_BYTES = 512L << 20;

  /**
   * The longest lease of a claim: one hour. Each run reserves room for the longest reply until its
   * lease ends, so a client that dies, or means harm, must not keep it for years.
   */
  public static final long CLAIM_LEASE_MILLIS = 60L * 60 * 1000;

  /** The longest reply of a guarded request. */
  public static final int CLAIM_REPLY_BYTES = 64 << 10;

  /** Up to here, a claim is answered with the reply itself; a longer one is asked for. */
  public static final int CLAIM_REPLY_AT_ONCE_BYTES = 8 << 10;

  /** What stands in the way of a command that would take more than is left for all services. */
  static final String STATE_BYTES = "service bytes";

  private ServiceLimits() {}

  /** Empty if a state may grow by this much. What does not grow is always admitted. */
  static String obstacle(long growth, long bytesLeft) {
    return growth <= 0 || growth <= bytesLeft ? "" : STATE_BYTES;
  }

  static void checkKey(String what, Bytes key, int least) {
    if (key.length() < least || key.length() > KEY_BYTES) {
      throw new IllegalArgumentException(
          what + " has " + key.length() + " bytes; allowed are " + least + " to " + KEY_BYTES);
    }
  }

  /**
   * Checks the name of a store of the claims service.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static void checkStoreName(String name) {
    checkText("store", name, STORE_NAME_BYTES);
  }

  static void checkName(String what, String name) {
    checkText(what, name, NAME_BYTES);
  }

  static void checkText(String what, String name, int most) {
    long bytes = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Character.isSurrogate(c)) {
        bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      } else if (i + 1 < name.length() && Character.isSurrogatePair(c, name.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw new IllegalArgumentException(
            what + " has a lone surrogate, for which there is no UTF-8");
      }
    }
    if (bytes < 1 || bytes > most) {
      throw new IllegalArgumentException(
          what + " has " + bytes + " bytes; allowed are 1 to " + most);
    }
  }

  static void checkNumber(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " is " + value + "; allowed are " + least + " to " + most);
    }
  }
}
