package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Json;
import io.onceward.benchmarks.Report;
import io.onceward.cli.JvmFlags;
import java.util.List;
import java.util.Locale;

/** How the figures of {@code bench cluster} were measured. */
record ClusterHeading(Plan plan) implements Report.Heading {

  @Override
  public String program() {
    return "onceward bench cluster";
  }

  @Override
  public List<String> lines() {
    return List.of(
        String.format(
            Locale.ROOT,
            "%d server processes, %d client process%s, loopback, fsync on; service: %s",
            Site.NODES,
            plan.clients(),
            plan.clients() == 1 ? "" : "es",
            "replies with 8 bytes and counts"),
        "servers with " + String.join(" ", JvmFlags.server()),
        "clients with " + String.join(" ", LoadProcess.flags()),
        String.format(
            Locale.ROOT,
            "%d x %d runs of %d s, after %d s of warm-up and %.1f s before each run",
            plan.passes(),
            plan.runs(),
            plan.seconds(),
            plan.warmSeconds(),
            plan.leadMillis() / 1e3));
  }

  @Override
  public void describe(Json line) {
    line.text("serverFlags", String.join(" ", JvmFlags.server()));
    line.text("clientFlags", String.join(" ", LoadProcess.flags()));
    line.number("servers", Site.NODES);
    line.number("clients", plan.clients());
    line.number("passes", plan.passes());
    line.number("runs", plan.runs());
    line.number("seconds", plan.seconds());
    line.number("warmSeconds", plan.warmSeconds());
    line.number("leadMillis", plan.leadMillis());
    line.number("openSessions", plan.openSessions());
  }
}
