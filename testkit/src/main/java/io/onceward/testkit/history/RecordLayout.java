package io.onceward.testkit.history;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * How events lie in a history file. The file begins with {@link #MAGIC}; each record is
 *
 * <pre>
 * i32 length of the body | i32 CRC32C of that length | i32 CRC32C of the body | body
 * </pre>
 *
 * <p>The length has a sum of its own, so that a flipped length in the middle cannot pass for a torn
 * end. A body begins with its type:
 *
 * <pre>
 * NAME      u8 type | i16 number | UTF-8
 * INVOKED   u8 type | i64 op | i64 nanos | i16 client | i16 service | u8 kind of op
 *           | u8 length of id | id | payload
 * ANSWERED  u8 type | i64 op | i64 nanos | u8 kind of reply | u8 flags | i64 position
 *           | i64 log time | if IN_ORDER: i64 cluster tag, i64 session, i64 sequence | reply
 * REFUSED   u8 type | i64 op | i64 nanos | u8 refusal | u8 executed
 * UNKNOWN   u8 type | i64 op | i64 nanos
 * </pre>
 */
final class RecordLayout {
  /** "OWHIST", a zero, and the version. */
  static final long MAGIC = 0x4f57_4849_5354_0001L;

  static final int HEADER_BYTES = 3 * Integer.BYTES;

  /** No record is longer; the largest frame of the protocol fits well. */
  static final int LONGEST_BODY = 16 << 20;

  static final int LONGEST_ID = 255;

  static final byte NAME = 1;
  static final byte INVOKED = 2;
  static final byte ANSWERED = 3;
  static final byte REFUSED = 4;
  static final byte UNKNOWN = 5;

  static final int REPLAY = 1;
  static final int IN_ORDER = 2;

  /** Where things are in a body, from its start. */
  static final int OP = 1;

  static final int NANOS = 9;
  static final int CLIENT = 17;
  static final int SERVICE = 19;
  static final int KIND = 21;
  static final int ID_LENGTH = 22;
  static final int ID = 23;

  static final int REPLY_KIND = 17;
  static final int FLAGS = 18;
  static final int POSITION = 19;
  static final int LOG_TIME = 27;
  static final int AFTER_LOG_TIME = 35;
  static final int CLUSTER_TAG = 35;
  static final int SESSION = 43;
  static final int SEQUENCE = 51;
  static final int AFTER_SEQUENCE = 59;

  static final int REFUSAL = 17;
  static final int EXECUTED = 18;

  private RecordLayout() {}

  static int sumOfLength(int length) {
    CRC32C sum = new CRC32C();
    for (int shift = 24; shift >= 0; shift -= 8) {
      sum.update(length >>> shift);
    }
    return (int) sum.getValue();
  }

  static int sumOf(ByteBuffer body) {
    CRC32C sum = new CRC32C();
    sum.update(body);
    return (int) sum.getValue();
  }
}
