package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.replica.Limits;
import io.onceward.replica.LogPlace;
import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node is to run.
 *
 * @param folder where its log, its snapshots and its identity are kept
 * @param self the node itself, also in {@code members} unless it joins
 * @param members all nodes of a cluster that is formed anew; ignored once the node knows better
 *     from its own log
 * @param bindHost the address to listen on: that of {@code self}, unless the node is reached
 *     through another one, as behind a proxy or in a container
 * @param join whether to wait, with an empty folder, until a running cluster adds this node
 * @param snapshotEveryEntries how many applied entries apart snapshots are taken
 * @param entriesKeptBehindSnapshot how many entries behind a snapshot are not purged, for followers
 *     that were away for a moment
 * @param electionLeastMillis a follower that hears nothing of a leader for a random time between
 *     this and {@code electionMostMillis} stands for election
 * @param limits how much the door lets in at a time
 * @param gateway what the node holds for those who connect
 * @param quarantined requests that are answered as failed without being executed (E8); the same on
 *     every node
 */
public record ServerSettings(
    Path folder,
    Member self,
    List<Member> members,
    String bindHost,
    boolean join,
    long snapshotEveryEntries,
    long entriesKeptBehindSnapshot,
    int electionLeastMillis,
    int electionMostMillis,
    DoorLimits limits,
    GatewayLimits gateway,
    List<Quarantined> quarantined) {

  /**
   * The place of a request that stops each node that executes it.
   *
   * @param cluster the cluster in whose log it stands; null if it is not known which
   */
  public record Quarantined(LogPlace place, @Nullable ClusterId cluster) {
    public Quarantined(long position, int ordinal) {
      this(new LogPlace(position, ordinal), null);
    }

    /** Whether it may stand in the log of this cluster. */
    boolean isOf(ClusterId here) {
      return cluster == null || cluster.equals(here);
    }

    @Override
    public String toString() {
      return cluster == null ? place.toString() : place + "@" + cluster;
    }

    public long position() {
      return place.position();
    }

    public int ordinal() {
      return place.ordinal();
    }
  }

  public static final int CLIENT_PORT = 7400;
  public static final long SNAPSHOT_EVERY_ENTRIES = 50_000;
  public static final long ENTRIES_KEPT_BEHIND_SNAPSHOT = 10_000;
  public static final int ELECTION_LEAST_MILLIS = 150;
  public static final int ELECTION_MOST_MILLIS = 300;

  public ServerSettings {
    members = List.copyOf(members);
    quarantined = List.copyOf(quarantined);
    if (quarantined.size() > Limits.QUARANTINED) {
      throw new IllegalArgumentException(
          "at most "
              + Limits.QUARANTINED
              + " requests can be quarantined at once, not "
              + quarantined.size()
              + "; those that the nodes have obeyed and confirmed need not be named any more");
    }
    if (!join && !members.contains(self)) {
      throw new IllegalArgumentException(
          "node " + self.id() + " is not among the members " + members);
    }
    if (electionLeastMillis < 1 || electionMostMillis <= electionLeastMillis) {
      throw new IllegalArgumentException(
          "election timeouts must grow from at least 1 ms, got "
              + electionLeastMillis
              + " to "
              + electionMostMillis
              + " ms");
    }
  }

  /** A cluster of one on loopback. */
  public static ServerSettings alone(Path folder, int clientPort, int peerPort) {
    Member self = new Member("node1", "127.0.0.1", clientPort, peerPort);
    return of(folder, self, List.of(self));
  }

  /** A member of a cluster, with defaults for everything else. */
  public static ServerSettings of(Path folder, Member self, List<Member> members) {
    return new ServerSettings(
        folder,
        self,
        members,
        self.host(),
        false,
        SNAPSHOT_EVERY_ENTRIES,
        ENTRIES_KEPT_BEHIND_SNAPSHOT,
        ELECTION_LEAST_MILLIS,
        ELECTION_MOST_MILLIS,
        DoorLimits.DEFAULT,
        GatewayLimits.DEFAULT,
        List.of());
  }

  /** The same, but it waits until a running cluster adds it. */
  public ServerSettings joining() {
    return new ServerSettings(
        folder,
        self,
        List.of(),
        bindHost,
        true,
        snapshotEveryEntries,
        entriesKeptBehindSnapshot,
        electionLeastMillis,
        electionMostMillis,
        limits,
        gateway,
        quarantined);
  }

  /**
   * The same, but it listens on this address, and is reached by the one that it has as a member.
   */
  public ServerSettings listeningOn(String host) {
    return new ServerSettings(
        folder,
        self,
        members,
        host,
        join,
        snapshotEveryEntries,
        entriesKeptBehindSnapshot,
        electionLeastMillis,
        electionMostMillis,
        limits,
        gateway,
        quarantined);
  }

  public ServerSettings withSnapshots(long everyEntries, long entriesKept) {
    return new ServerSettings(
        folder,
        self,
        members,
        bindHost,
        join,
        everyEntries,
        entriesKept,
        electionLeastMillis,
        electionMostMillis,
        limits,
        gateway,
        quarantined);
  }

  public ServerSettings withElectionMillis(int least, int most) {
    return new ServerSettings(
        folder,
        self,
        members,
        bindHost,
        join,
        snapshotEveryEntries,
        entriesKeptBehindSnapshot,
        least,
        most,
        limits,
        gateway,
        quarantined);
  }

  public ServerSettings withGateway(GatewayLimits other) {
    return new ServerSettings(
        folder,
        self,
        members,
        bindHost,
        join,
        snapshotEveryEntries,
        entriesKeptBehindSnapshot,
        electionLeastMillis,
        electionMostMillis,
        limits,
        other,
        quarantined);
  }

  public ServerSettings withQuarantined(List<Quarantined> places) {
    return new ServerSettings(
        folder,
        self,
        members,
        bindHost,
        join,
        snapshotEveryEntries,
        entriesKeptBehindSnapshot,
        electionLeastMillis,
        electionMostMillis,
        limits,
        gateway,
        places);
  }
}
