package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.io.PrintStream;

/** For programs: a JSON object for each second, each event and each finding. */
final class JsonLines implements Display {
  private final PrintStream out;

  JsonLines(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(DemoSettings settings) {
    print(
        new JsonLine()
            .text("is", "begin")
            .number("seed", settings.seed())
            .text("replay", settings.replay()));
  }

  @Override
  public void show(Figures figures) {
    // Only whole seconds are of interest.
  }

  @Override
  public void second(Figures figures) {
    JsonLine line =
        new JsonLine()
            .text("is", "second")
            .text("phase", figures.phase().words())
            .number("millis", figures.elapsedMillis())
            .number("per_second", figures.perSecond());
    work(line, figures.work())
        .number("p50_micros", figures.p50Micros())
        .number("p99_micros", figures.p99Micros())
        .text("leader", figures.leader())
        .number("term", figures.term());
    troubles(line, figures.troubles())
        .objects("nodes", figures.nodes().stream().map(JsonLines::node).toList())
        .objects("clients", figures.clients().stream().map(JsonLines::client).toList())
        .text("now", figures.now());
    print(line);
  }

  private static JsonLine work(JsonLine line, Work work) {
    return line.number("decided", work.decided())
        .number("declined", work.declined())
        .number("retries", work.retries())
        .number("replays", work.replays())
        .number("pending", work.pending());
  }

  private static JsonLine troubles(JsonLine line, Troubles troubles) {
    return line.number("kills", troubles.kills())
        .number("pauses", troubles.pauses())
        .number("cuts", troubles.cuts())
        .number("client_kills", troubles.clientKills())
        .number("leader_changes", troubles.leaderChanges());
  }

  private static JsonLine node(Figures.NodeView node) {
    return new JsonLine()
        .text("node", node.id())
        .text("condition", node.condition().words())
        .text("role", node.role())
        .number("position", node.position())
        .number("connections", node.connections());
  }

  private static JsonLine client(Figures.ClientView client) {
    return new JsonLine()
        .text("client", client.name())
        .text("kind", client.kind())
        .text("condition", client.condition().words())
        .number("decided", client.decided())
        .number("pending", client.pending())
        .number("restarts", client.restarts());
  }

  @Override
  public void happened(Figures.Event event) {
    print(
        new JsonLine()
            .text("is", "event")
            .number("millis", event.atMillis())
            .text("what", event.text()));
  }

  @Override
  public void conclude(Conclusion conclusion) {
    for (Finding finding : conclusion.findings()) {
      print(
          new JsonLine()
              .text("is", "finding")
              .text("what", finding.what())
              .flag("holds", finding.holds())
              .text("numbers", finding.numbers())
              .texts("objections", finding.objections()));
    }
    JsonLine line =
        new JsonLine()
            .text("is", "conclusion")
            .flag("holds", conclusion.holds())
            .number("millis", conclusion.elapsedMillis())
            .number("per_second", conclusion.overall().perSecond());
    work(line, conclusion.work())
        .number("p50_micros", conclusion.overall().p50Micros())
        .number("p99_micros", conclusion.overall().p99Micros());
    troubles(line, conclusion.troubles())
        .text("replay", conclusion.replay())
        .text("kept", conclusion.kept());
    print(line);
  }

  private void print(JsonLine line) {
    out.println(line);
    out.flush();
  }

  @Override
  public void close() {
    // Nothing to leave.
  }
}
