package io.onceward.server.engine;

import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an engine is started with.
 *
 * @param folder where log and snapshots live; this process owns it alone
 * @param self this node; one of the members, unless it joins
 * @param members who forms the cluster when it starts for the first time. Later starts go by what
 *     the log says
 * @param join this node is not a member yet: it starts with nothing, knows nobody and waits until
 *     the leader adds it
 * @param bindHost where to listen for other members; only this address, whatever it is
 * @param snapshotEveryEntries a snapshot is taken after so many entries …
 * @param snapshotEveryBytes … or so many bytes of them, whichever comes first; but not before there
 *     are as many bytes of log as the last snapshot had, so that snapshots at most double what is
 *     written
 * @param entriesKeptBehindSnapshot how many entries before a snapshot stay in the log, so that a
 *     member that was away for a moment needs no snapshot
 * @param electionMillisMin a follower that hears nothing of its leader for a random time between
 *     this …
 * @param electionMillisMax … and this asks to be elected
 * @param maxEntryBytes an entry larger than this is lost at once
 * @param segmentBytes the size of a file of the log; only whole files are dropped behind a snapshot
 */
public record EngineSettings(
    Path folder,
    Member self,
    List<Member> members,
    boolean join,
    String bindHost,
    long snapshotEveryEntries,
    long snapshotEveryBytes,
    long entriesKeptBehindSnapshot,
    int electionMillisMin,
    int electionMillisMax,
    int maxEntryBytes,
    int segmentBytes) {

  /** Room for the largest frame that a client may send, and for what the log puts around it. */
  private static final int ENTRY_BYTES = 18 << 20;

  public EngineSettings {
    members = List.copyOf(members);
    require(join || members.contains(self), self.id() + " is not one of the members " + members);
    require(distinct(members), "two members share an id or a peer address: " + members);
    require(snapshotEveryEntries > 0, "snapshotEveryEntries must be positive");
    require(snapshotEveryBytes > 0, "snapshotEveryBytes must be positive");
    require(entriesKeptBehindSnapshot >= 0, "entriesKeptBehindSnapshot must not be negative");
    require(
        electionMillisMin >= 20 && electionMillisMax >= electionMillisMin,
        "election times must be at least 20 ms, and the larger one not below the smaller one");
    require(maxEntryBytes >= 1 << 16, "maxEntryBytes must be at least 64 KiB");
    require(segmentBytes >= 1 << 12, "segmentBytes must be at least 4 KiB");
  }

  /** The defaults; the first start forms a cluster of these members. */
  public static EngineSettings of(Path folder, Member self, List<Member> members) {
    return new EngineSettings(
        folder,
        self,
        members,
        false,
        self.host(),
        100_000,
        256L << 20,
        10_000,
        150,
        300,
        ENTRY_BYTES,
        16 << 20);
  }

  /** The defaults for a node that waits to be added to a cluster. */
  public static EngineSettings joining(Path folder, Member self) {
    EngineSettings alone = of(folder, self, List.of(self));
    return new EngineSettings(
        folder,
        self,
        List.of(),
        true,
        alone.bindHost,
        alone.snapshotEveryEntries,
        alone.snapshotEveryBytes,
        alone.entriesKeptBehindSnapshot,
        alone.electionMillisMin,
        alone.electionMillisMax,
        alone.maxEntryBytes,
        alone.segmentBytes);
  }

  /** Listens for other members at this address instead of its own. */
  public EngineSettings withBindHost(String host) {
    return new EngineSettings(
        folder,
        self,
        members,
        join,
        host,
        snapshotEveryEntries,
        snapshotEveryBytes,
        entriesKeptBehindSnapshot,
        electionMillisMin,
        electionMillisMax,
        maxEntryBytes,
        segmentBytes);
  }

  /** When to take snapshots, and how much of the log to keep behind them. */
  public EngineSettings withSnapshots(long everyEntries, long everyBytes, long entriesKept) {
    return new EngineSettings(
        folder,
        self,
        members,
        join,
        bindHost,
        everyEntries,
        everyBytes,
        entriesKept,
        electionMillisMin,
        electionMillisMax,
        maxEntryBytes,
        segmentBytes);
  }

  /** How long a follower waits before it asks to be elected. */
  public EngineSettings withElection(int millisMin, int millisMax) {
    return new EngineSettings(
        folder,
        self,
        members,
        join,
        bindHost,
        snapshotEveryEntries,
        snapshotEveryBytes,
        entriesKeptBehindSnapshot,
        millisMin,
        millisMax,
        maxEntryBytes,
        segmentBytes);
  }

  /** The largest entry and the size of a file of the log. */
  public EngineSettings withSizes(int entryBytes, int fileBytes) {
    return new EngineSettings(
        folder,
        self,
        members,
        join,
        bindHost,
        snapshotEveryEntries,
        snapshotEveryBytes,
        entriesKeptBehindSnapshot,
        electionMillisMin,
        electionMillisMax,
        entryBytes,
        fileBytes);
  }

  private static boolean distinct(List<Member> members) {
    Set<String> seen = new HashSet<>();
    for (Member member : members) {
      if (!seen.add(member.id()) || !seen.add(member.peerAddress())) {
        return false;
      }
    }
    return true;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
