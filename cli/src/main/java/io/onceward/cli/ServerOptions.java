package io.onceward.cli;

import io.onceward.server.ServerSettings;
import io.onceward.server.ServerSettings.Quarantined;
import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How a node is to run, as the command line and a properties file say it. An option on the command
 * line stands for what the file says under the same name.
 */
final class ServerOptions {
  private static final String DEFAULT_NODE = "node1";
  private static final String DEFAULT_DATA = "onceward-data";
  private static final String DEFAULT_LISTEN = "127.0.0.1:" + ServerSettings.CLIENT_PORT;

  /** A follower that was away for a moment finds this part of what lies between two snapshots. */
  private static final int KEPT_PART = 5;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A properties file with any of these options, named as here without the dashes; "
              + "member.ID and service.NAME for those that can be repeated.")
  @Nullable Path config;

  @Option(
      names = "--node",
      paramLabel = "ID",
      description = "The name of this node in its cluster. Default: " + DEFAULT_NODE + ".")
  @Nullable String node;

  @Option(
      names = "--member",
      paramLabel = "ID=HOST:PORT[/PEERPORT]",
      description =
          "A member of the cluster; name all of them, this one included, the same on every node. "
              + "Without a peer port, it is the one after the port for clients.")
  List<Member> members = new ArrayList<>();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT[/PEERPORT]",
      description =
          "Where a node that is alone, or that joins, can be reached. Default: "
              + DEFAULT_LISTEN
              + ".")
  @Nullable String listen;

  @Option(
      names = "--bind",
      paramLabel = "HOST",
      description =
          "The address to listen on, if the node is reached by another one than its own: behind a"
              + " proxy, in a container. 0.0.0.0 for all. Default: the host of the node's address.")
  @Nullable String bind;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where log and snapshots are kept. Default: " + DEFAULT_DATA + ".")
  @Nullable Path data;

  @Option(
      names = "--join",
      description =
          "Wait, with an empty data folder, until 'onceward member add' adds this node to a running"
              + " cluster.")
  boolean join;

  @Option(
      names = "--service",
      paramLabel = "NAME=CLASS",
      description =
          "Host a service of your own: a class on the class path (ONCEWARD_CLASSPATH) with a public "
              + "constructor without parameters. kv, counter, lease and claims are always there.")
  Map<String, String> services = new LinkedHashMap<>();

  @Option(
      names = "--quarantine",
      paramLabel = "POSITION/ORDINAL[@CLUSTER]",
      description =
          "Answer this one request as FAILED instead of executing it, after it has stopped every node "
              + "that executes it; the same on every node. Ignored in a cluster of another id.")
  List<Quarantined> quarantined = new ArrayList<>();

  @Option(
      names = "--snapshot-every",
      paramLabel = "N",
      description =
          "Take a snapshot every N log entries. Default: "
              + ServerSettings.SNAPSHOT_EVERY_ENTRIES
              + ".")
  @Nullable Long snapshotEvery;

  @Option(
      names = "--election-millis",
      paramLabel = "A-B",
      description =
          "A follower that hears no leader for between A and B milliseconds stands for election."
              + " Default: "
              + ServerSettings.ELECTION_LEAST_MILLIS
              + "-"
              + ServerSettings.ELECTION_MOST_MILLIS
              + ".")
  @Nullable MillisRange electionMillis;

  /**
   * The settings that these options add up to.
   *
   * @throws IllegalArgumentException if they contradict each other; the message says how
   */
  ServerSettings settings() {
    if (config != null) {
      ServerFile.read(config).fill(this);
    }
    Member self = self();
    Path folder = data == null ? Path.of(DEFAULT_DATA) : data;
    ServerSettings settings =
        join
            ? ServerSettings.of(folder, self, List.of(self)).joining()
            : ServerSettings.of(folder, self, members.isEmpty() ? List.of(self) : members);
    settings = settings.withQuarantined(quarantined);
    if (bind != null) {
      settings = settings.listeningOn(bind);
    }
    if (snapshotEvery != null) {
      if (snapshotEvery < 1) {
        throw new IllegalArgumentException("--snapshot-every is at least 1, not " + snapshotEvery);
      }
      settings =
          settings.withSnapshots(
              snapshotEvery,
              Math.min(ServerSettings.ENTRIES_KEPT_BEHIND_SNAPSHOT, snapshotEvery / KEPT_PART));
    }
    if (electionMillis != null) {
      settings = settings.withElectionMillis(electionMillis.least(), electionMillis.most());
    }
    return settings;
  }

  private Member self() {
    if (members.isEmpty() || join) {
      return alone();
    }
    requireDistinct();
    if (listen != null) {
      throw new IllegalArgumentException(
          "--listen is for a node that is alone or joins; here --member says where each node listens");
    }
    if (node == null) {
      if (members.size() == 1) {
        return members.get(0);
      }
      throw new IllegalArgumentException(
          "say with --node which of the members this is: " + String.join(", ", ids()));
    }
    for (Member member : members) {
      if (member.id().equals(node)) {
        return member;
      }
    }
    throw new IllegalArgumentException(
        "node "
            + node
            + " is not among the members "
            + String.join(", ", ids())
            + "; a node that is to be added later starts with --join");
  }

  private Member alone() {
    if (join && (node == null || listen == null)) {
      throw new IllegalArgumentException(
          "--join needs --node and --listen, a name and an address that the cluster does not have yet");
    }
    if (join && !members.isEmpty()) {
      throw new IllegalArgumentException(
          "--join and --member exclude each other: a node that joins learns the members from them");
    }
    return MemberText.parseAddress(
        node == null ? DEFAULT_NODE : node, listen == null ? DEFAULT_LISTEN : listen);
  }

  private void requireDistinct() {
    Map<String, String> owners = new LinkedHashMap<>();
    for (Member member : members) {
      if (ids().indexOf(member.id()) != ids().lastIndexOf(member.id())) {
        throw new IllegalArgumentException("member " + member.id() + " is named twice");
      }
      for (String address : List.of(member.clientAddress(), member.peerAddress())) {
        String owner = owners.putIfAbsent(address, member.id());
        if (owner != null) {
          throw new IllegalArgumentException(
              "members " + owner + " and " + member.id() + " both want " + address);
        }
      }
    }
  }

  private List<String> ids() {
    return members.stream().map(Member::id).toList();
  }
}
