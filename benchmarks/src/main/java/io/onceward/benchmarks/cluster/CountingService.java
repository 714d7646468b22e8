package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A service that takes next to no time, so that what is measured is what goes on around it. It
 * counts what it executes and replies with the count, in 8 bytes: at the end the count tells
 * whether each request was executed once.
 */
public final class CountingService implements Service {
  /** What the servers of a measurement call it. */
  static final String NAME = "counting";

  private long executed;

  @Override
  public Reply execute(Command command) {
    executed++;
    return count();
  }

  @Override
  public Reply query(Command question) {
    return count();
  }

  private Reply count() {
    return Reply.ok(Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(executed).array()));
  }

  @Override
  public Frozen freeze() {
    long now = executed;
    return out -> new DataOutputStream(out).writeLong(now);
  }

  @Override
  public void restore(InputStream in) throws IOException {
    executed = new DataInputStream(in).readLong();
  }
}
