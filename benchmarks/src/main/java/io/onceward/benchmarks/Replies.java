package io.onceward.benchmarks;

import io.onceward.Bytes;
import io.onceward.Reply;

/** The reply of every request in these programs: 16 bytes. */
public final class Replies {
  static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  public static final Reply REPLY = Reply.ok(Bytes.of(BYTES));

  private Replies() {}
}
