package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.fuzz.Frugal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Searches for contents of a snapshot, all checksums right, that upset the tables: any exception
 * but {@link DamagedException} while they are read, while time passes over them, or while they are
 * written again.
 */
public final class RestoreTarget {

  private RestoreTarget() {}

  public static void fuzzerTestOneInput(byte[] content) {
    Frugal.check(content.length, () -> check(content));
  }

  private static void check(byte[] content) throws IOException {
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(snapshot);
    out.raw(Bytes.of(content));
    out.finish();
    Replica replica;
    try {
      replica = Replica.restore(new Plain(), new ByteArrayInputStream(snapshot.toByteArray()));
    } catch (MissingServiceException clear) {
      throw new DamagedException("snapshot", 0, String.valueOf(clear.getMessage()));
    }
    long position = replica.position() + 1;
    if (position < Replica.MAX_POSITION) {
      LogEntry.Proposal tick = new LogEntry.Proposal("alice", new Request.Tick());
      byte[] entry =
          new LogEntry(replica.clusterId().tag(), Long.MAX_VALUE >> 8, List.of(tick)).encode();
      replica.apply(position, replica.term(), entry, null);
    }
    replica.digest();
  }

  /** A service whose state is bytes. */
  private static final class Plain implements Service {
    private byte[] state = {};

    @Override
    public Reply execute(Command command) {
      return Reply.ok(command.payload());
    }

    @Override
    public Frozen freeze() {
      byte[] frozen = state;
      return out -> out.write(frozen);
    }

    @Override
    public void restore(InputStream in) throws IOException {
      state = in.readAllBytes();
    }
  }
}
