package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.wire.Difference;
import io.onceward.wire.NodeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows all nodes of a cluster. */
@Command(
    name = "status",
    description = {
      "Show all nodes of the cluster, the leader marked with a star; nodes that do not answer are",
      "shown as such. Exit code 4 if none leads, 13 if a node was found to differ from its leader."
    },
    footer = {
      "",
      "Examples:",
      "  onceward status",
      "  onceward status --at 10.0.0.5:7400,10.0.0.6:7400",
      "  onceward status --digest --json"
    })
final class StatusCommand extends AdminCommand {
  @Option(
      names = "--digest",
      description =
          "Also show a digest of everything at the node's position: equal positions have equal"
              + " digests. It stops applying for a while.")
  private boolean digest;

  StatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode administer(Onceward client) {
    ClusterView cluster =
        ClusterView.of(client, connection().addresses(voice().terminal()), digest);
    NodeStatus leader = cluster.leader();
    List<Json> nodes = new ArrayList<>();
    cluster.nodes().forEach(seen -> nodes.add(json(seen)));
    voice()
        .say(
            table(cluster.nodes(), digest)
                + (leader == null ? "\nno node leads" : "")
                + differences(cluster.nodes()),
            new Json()
                .text("leader", leader == null ? "" : leader.id())
                .text("cluster", leader == null ? "" : leader.clusterId().toString())
                .objects("nodes", nodes));
    return leader == null
        ? ExitCode.UNREACHABLE
        : differences(cluster.nodes()).isEmpty() ? ExitCode.DONE : ExitCode.DIFFERS;
  }

  /** What must never be, and what to do then; empty if no node says so. */
  static String differences(List<ClusterView.Seen> nodes) {
    StringBuilder text = new StringBuilder();
    for (ClusterView.Seen seen : nodes) {
      Difference difference = seen.status() == null ? null : seen.status().difference();
      if (difference != null) {
        text.append("\nALARM: ")
            .append(seen.id())
            .append(" differs from the leader: at position ")
            .append(difference.position())
            .append("\n  its digest is ")
            .append(difference.own())
            .append("\n  the leader's  ")
            .append(difference.leaders());
      }
    }
    if (text.length() > 0) {
      text.append(
          "\nA node that alone says so has another state: remove it, empty its data folder, and add"
              + " it again\nwith --join. If most nodes say so, it is the node that led then.");
    }
    return text.toString();
  }

  static String table(List<ClusterView.Seen> nodes, boolean digest) {
    TextTable table =
        new TextTable(
            "NODE",
            "ADDRESS",
            "ROLE",
            "TERM",
            "POSITION",
            "SNAPSHOT",
            "SESSIONS",
            "KEYS",
            "TABLE",
            "LOG TIME",
            digest ? "DIGEST" : "");
    for (ClusterView.Seen seen : nodes) {
      NodeStatus status = seen.status();
      if (status == null) {
        table.row(seen.id(), seen.address(), "does not answer", "", "", "", "", "", "", "", "");
      } else {
        table.row(
            status.id() + (seen.leads() ? " *" : ""),
            seen.address(),
            status.role(),
            String.valueOf(status.term()),
            String.valueOf(status.position()),
            status.snapshotPosition() == 0 ? "-" : String.valueOf(status.snapshotPosition()),
            String.valueOf(status.sessions()),
            String.valueOf(status.keys()),
            ByteCount.print(status.tableBytes()),
            status.timeMillis() == 0 ? "-" : ahead(status.logTimeAheadMillis()),
            status.digest());
      }
    }
    return table.toString();
  }

  /** How far log time is from the clock of a node, in whole seconds. */
  private static String ahead(long millis) {
    long seconds = Math.abs(millis) / 1_000;
    if (seconds == 0) {
      return "now";
    }
    return DurationText.print(seconds * 1_000) + (millis > 0 ? " ahead" : " behind");
  }

  static Json json(ClusterView.Seen seen) {
    NodeStatus status = seen.status();
    Json json =
        new Json()
            .text("node", seen.id())
            .text("address", seen.address())
            .flag("answers", status != null);
    if (status == null) {
      return json;
    }
    Difference difference = status.difference();
    json.flag("differs", difference != null);
    if (difference != null) {
      json.number("comparedAt", difference.position())
          .text("ownDigest", difference.own())
          .text("leadersDigest", difference.leaders());
    }
    return json.text("version", status.version())
        .text("role", status.role())
        .text("leader", status.leader())
        .number("term", status.term())
        .number("position", status.position())
        .number("committed", status.committed())
        .number("snapshotPosition", status.snapshotPosition())
        .text("time", Instant.ofEpochMilli(status.timeMillis()).toString())
        .number("ageMillis", status.ageMillis())
        .number("sessions", status.sessions())
        .number("keys", status.keys())
        .number("tableBytes", status.tableBytes())
        .text("digest", status.digest())
        .number("decided", status.decided())
        .number("replays", status.replays())
        .number("coalesced", status.coalesced())
        .number("clockMillis", status.clockMillis())
        .number("logTimeAheadMillis", status.logTimeAheadMillis())
        .texts("services", status.services());
  }
}
