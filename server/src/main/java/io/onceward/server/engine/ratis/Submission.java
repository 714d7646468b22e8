package io.onceward.server.engine.ratis;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * An entry on its way into the log, with the handle of who submitted it. Applying and losing it may
 * race (a leader steps down while its last entries are applied): who claims it first tells its
 * fate.
 */
final class Submission implements Message {
  private final byte[] entry;
  private final Object handle;
  private final ByteString content;
  private final AtomicBoolean claimed = new AtomicBoolean();

  Submission(byte[] entry, Object handle) {
    this.entry = entry;
    this.handle = handle;
    this.content = UnsafeByteOperations.unsafeWrap(entry);
  }

  byte[] entry() {
    return entry;
  }

  Object handle() {
    return handle;
  }

  /** True for exactly one caller. */
  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  @Override
  public ByteString getContent() {
    return content;
  }
}
