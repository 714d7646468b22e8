package io.onceward.replica;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Searches for contents of a snapshot, all checksums right, that upset the tables: any exception
 * but {@link DamagedException} while they are read, while time passes over them, or while they are
 * written again.
 */
@NeedsJazzer
class RestoreFuzzTest {

  @FuzzTest(maxDuration = "5s")
  void restoresOrNamesTheDamage(byte[] content) {
    FrugalDecoding.check(content.length, () -> check(content));
  }

  private static void check(byte[] content) throws IOException {
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    SnapshotOutput out = new SnapshotOutput(snapshot);
    out.raw(Bytes.of(content));
    out.finish();
    Replica replica =
        Replica.restore(new TextService(), new ByteArrayInputStream(snapshot.toByteArray()));
    long position = replica.position() + 1;
    if (position < Replica.MAX_POSITION) {
      LogEntry.Proposal tick = new LogEntry.Proposal("alice", new Request.Tick());
      byte[] entry = new LogEntry(0, Long.MAX_VALUE >> 8, List.of(tick)).encode();
      replica.apply(position, replica.term(), entry, null);
    }
    replica.digest();
  }
}
