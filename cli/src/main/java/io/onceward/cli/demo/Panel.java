package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.ClientView;
import io.onceward.cli.demo.Figures.Condition;
import io.onceward.cli.demo.Figures.Event;
import io.onceward.cli.demo.Figures.NodeView;
import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * The picture that is drawn in a terminal, fitted to its size: in a low one the chart shrinks, then
 * the clients share a line; what happens now is always there.
 */
final class Panel {
  private static final int TALL_CHART = 5;
  private static final int LOW_CHART = 2;
  private static final int LABEL = Chart.AXIS;
  private static final int COLUMN = 18;
  private static final int MOST_EVENTS = 8;

  private final Look look;
  private final int rows;
  private final int columns;

  Panel(Look look, int rows, int columns) {
    this.look = look;
    this.rows = rows;
    this.columns = columns;
  }

  /** The lines, top first, never more than there are rows. */
  List<InkedLine> lines(Figures figures) {
    List<InkedLine> lines = compose(figures, TALL_CHART, true, true);
    if (lines.size() > rows) {
      lines = compose(figures, LOW_CHART, true, true);
    }
    if (lines.size() > rows) {
      lines = compose(figures, LOW_CHART, false, true);
    }
    if (lines.size() > rows) {
      lines = compose(figures, LOW_CHART, false, false);
    }
    int room = Math.min(MOST_EVENTS, rows - lines.size());
    List<Event> events = figures.events();
    for (int i = events.size() - 1; i >= 0 && i >= events.size() - room; i--) {
      lines.add(event(events.get(i), i == events.size() - 1));
    }
    return lines.size() > rows ? lines.subList(0, Math.max(0, rows)) : lines;
  }

  private List<InkedLine> compose(Figures figures, int chartRows, boolean each, boolean airy) {
    List<InkedLine> lines = new ArrayList<>();
    lines.add(title(figures));
    air(lines, airy);
    int seconds = Math.max(10, columns - Chart.AXIS - 1);
    lines.addAll(new Chart(look, chartRows, seconds).lines(figures.history()));
    lines.add(decided(figures));
    lines.add(exactlyOnce(figures.work()));
    lines.add(troubles(figures.troubles()));
    air(lines, airy);
    for (NodeView node : figures.nodes()) {
      lines.add(node(node, figures));
    }
    air(lines, airy);
    if (each) {
      for (ClientView client : figures.clients()) {
        lines.add(client(client));
      }
    } else {
      lines.add(clients(figures.clients()));
    }
    air(lines, airy);
    lines.add(now(figures));
    return lines;
  }

  private static void air(List<InkedLine> lines, boolean airy) {
    if (airy) {
      lines.add(new InkedLine());
    }
  }

  private InkedLine title(Figures figures) {
    String clock =
        Numbers.clock(figures.elapsedMillis()) + " of " + Numbers.clock(figures.lengthMillis());
    InkedLine line =
        new InkedLine()
            .add(" ")
            .add(Ink.BOLD_CYAN, "onceward demo")
            .add(Ink.DIM, "  seed " + figures.seed() + "  ")
            .add(Ink.BOLD, clock)
            .add("  ");
    int length = Math.max(0, Math.min(40, columns - line.width() - 1));
    long done =
        Math.min(length, figures.elapsedMillis() * length / Math.max(1, figures.lengthMillis()));
    return line.add(Ink.CYAN, look.bar().repeat((int) done))
        .add(Ink.DIM, look.rail().repeat(length - (int) done));
  }

  private static InkedLine row(String label) {
    return new InkedLine().add(Ink.DIM, " ".repeat(LABEL - 2 - label.length()) + label + "  ");
  }

  private static InkedLine decided(Figures figures) {
    return row("decided")
        .add(Ink.BOLD_GREEN, Numbers.grouped(figures.work().decided()))
        .to(LABEL + COLUMN)
        .add(Ink.BOLD, Numbers.grouped(figures.perSecond()))
        .add(Ink.DIM, "/s")
        .to(LABEL + 2 * COLUMN)
        .add(Ink.DIM, "p50 ")
        .add(Ink.BOLD, Numbers.latency(figures.p50Micros()))
        .to(LABEL + 3 * COLUMN)
        .add(Ink.DIM, "p99 ")
        .add(Ink.BOLD, Numbers.latency(figures.p99Micros()));
  }

  private static InkedLine exactlyOnce(Work work) {
    return row("retries")
        .add(Ink.BOLD_YELLOW, Numbers.grouped(work.retries()))
        .to(LABEL + COLUMN)
        .add(Ink.DIM, "replays ")
        .add(Ink.BOLD, Numbers.grouped(work.replays()))
        .to(LABEL + 2 * COLUMN)
        .add(Ink.DIM, "declined ")
        .add(Ink.BOLD, Numbers.grouped(work.declined()))
        .to(LABEL + 3 * COLUMN)
        .add(Ink.DIM, "pending ")
        .add(Ink.BOLD, Numbers.grouped(work.pending()));
  }

  private static InkedLine troubles(Troubles troubles) {
    InkedLine line = row("faults");
    count(line, troubles.kills(), "kill", "kills");
    count(line, troubles.pauses(), "pause", "pauses");
    count(line, troubles.cuts(), "cut", "cuts");
    count(line, troubles.clientKills(), "client kill", "client kills");
    count(line, troubles.leaderChanges(), "leader change", "leader changes");
    return line;
  }

  private static void count(InkedLine line, long number, String one, String several) {
    line.add(number == 0 ? Ink.DIM : Ink.BOLD_RED, Numbers.grouped(number))
        .add(Ink.DIM, " " + (number == 1 ? one : several) + "   ");
  }

  private InkedLine node(NodeView node, Figures figures) {
    boolean leads = node.condition() == Condition.UP && node.id().equals(figures.leader());
    InkedLine line = row(node.id());
    switch (node.condition()) {
      case UP ->
          line.add(leads ? Ink.BOLD_GREEN : Ink.GREEN, leads ? look.crown() : look.dot())
              .add(" ")
              .add(leads ? Ink.BOLD_GREEN : Ink.PLAIN, role(node, leads, figures.term()));
      case STARTING -> line.add(Ink.BLUE, look.hollow() + " starting");
      case PAUSED -> line.add(Ink.BOLD_YELLOW, look.pause() + " paused");
      case KILLED -> line.add(Ink.BOLD_RED, look.cross() + " killed");
    }
    if (node.position() > 0) {
      line.to(LABEL + COLUMN).add(Ink.DIM, "position ").add(Numbers.grouped(node.position()));
    }
    line.to(LABEL + 2 * COLUMN);
    return switch (node.gate()) {
      case OPEN ->
          line.add(Ink.DIM, Numbers.count(node.connections(), "connection", "connections"));
      case REFUSING -> line.add(Ink.BOLD_RED, "turns clients away");
      case STALLING -> line.add(Ink.BOLD_YELLOW, "nothing passes");
    };
  }

  private static String role(NodeView node, boolean leads, long term) {
    if (leads) {
      return "leader, term " + term;
    }
    return node.role().isEmpty() ? "no answer" : node.role();
  }

  private InkedLine client(ClientView client) {
    InkedLine line = row(client.name());
    switch (client.condition()) {
      case UP -> line.add(Ink.GREEN, look.dot()).add(" ").add(client.kind());
      case STARTING -> line.add(Ink.BLUE, look.hollow() + " starting");
      case PAUSED, KILLED -> line.add(Ink.BOLD_RED, look.cross() + " killed");
    }
    line.to(LABEL + COLUMN)
        .add(Ink.DIM, "decided ")
        .add(Numbers.grouped(client.decided()))
        .to(LABEL + 2 * COLUMN)
        .add(Ink.DIM, "pending ")
        .add(Numbers.grouped(client.pending()));
    if (client.restarts() > 0) {
      line.to(LABEL + 3 * COLUMN).add(Ink.DIM, "killed " + times(client.restarts()));
    }
    return line;
  }

  private static String times(int restarts) {
    return restarts == 1 ? "once" : restarts == 2 ? "twice" : restarts + " times";
  }

  private static InkedLine clients(List<ClientView> clients) {
    InkedLine line = row("clients");
    for (ClientView client : clients) {
      line.add(client.condition() == Condition.UP ? Ink.GREEN : Ink.BOLD_RED, client.name())
          .add(Ink.DIM, " " + Numbers.grouped(client.decided()) + "  ");
    }
    return line;
  }

  private InkedLine now(Figures figures) {
    InkedLine line = row("now");
    if (figures.now().isEmpty()) {
      return line.add(Ink.GREEN, figures.activity());
    }
    return line.add(Ink.BOLD_RED, figures.now());
  }

  private InkedLine event(Event event, boolean newest) {
    Ink ink =
        switch (event.tone()) {
          case TROUBLE -> newest ? Ink.RED : Ink.DIM;
          case RELIEF -> newest ? Ink.GREEN : Ink.DIM;
          case NEWS -> Ink.DIM;
        };
    return row(Numbers.clock(event.atMillis())).add(ink, event.text());
  }
}
