package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.io.PrintStream;

/** For files and pipes: a line for each second and each event. */
final class PlainLines implements Display {
  private final PrintStream out;
  private final ConclusionText conclusionText;

  PlainLines(PrintStream out) {
    this.out = out;
    this.conclusionText = new ConclusionText(new Look(false, false), Integer.MAX_VALUE);
  }

  @Override
  public void begin(DemoSettings settings) {
    print(0, settings.replay());
  }

  @Override
  public void show(Figures figures) {
    // Only whole seconds are of interest.
  }

  @Override
  public void second(Figures figures) {
    Work work = figures.work();
    Troubles troubles = figures.troubles();
    print(
        figures.elapsedMillis(),
        Numbers.grouped(figures.perSecond())
            + "/s, "
            + Numbers.grouped(work.decided())
            + " decided, p50 "
            + Numbers.latency(figures.p50Micros())
            + ", p99 "
            + Numbers.latency(figures.p99Micros())
            + ", retries "
            + Numbers.grouped(work.retries())
            + ", replays "
            + Numbers.grouped(work.replays())
            + ", leader "
            + (figures.leader().isEmpty() ? "none" : figures.leader())
            + ", leader changes "
            + troubles.leaderChanges()
            + ", kills "
            + troubles.kills()
            + ", pauses "
            + troubles.pauses()
            + ", cuts "
            + troubles.cuts()
            + ", client kills "
            + troubles.clientKills());
  }

  @Override
  public void happened(Figures.Event event) {
    print(event.atMillis(), event.text());
  }

  private void print(long millis, String text) {
    out.println(Numbers.clock(millis) + "  " + text);
    out.flush();
  }

  @Override
  public void conclude(Conclusion conclusion) {
    for (InkedLine line : conclusionText.lines(conclusion)) {
      out.println(line.print(Integer.MAX_VALUE, false));
    }
    out.flush();
  }

  @Override
  public void close() {
    // Nothing to leave.
  }
}
