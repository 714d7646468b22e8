package io.onceward.torture;

import io.onceward.torture.Chronicle.Trouble;
import io.onceward.torture.Fault.Kind;
import io.onceward.torture.report.Machine;
import io.onceward.torture.report.Page;
import io.onceward.torture.report.TorturedRun;
import io.onceward.torture.report.TorturedRun.Bar;
import io.onceward.torture.report.TorturedRun.Group;
import io.onceward.torture.report.TorturedRun.Lane;
import io.onceward.torture.report.Traffic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The end of a run as a page to look at. */
record ConclusionPage(Conclusion conclusion) {

  void writeTo(Path file) throws IOException {
    new Page(run()).writeTo(file);
  }

  private TorturedRun run() throws IOException {
    TortureArguments arguments = conclusion.arguments();
    Chronicle chronicle = conclusion.chronicle();
    return new TorturedRun(
        Instant.now().minusMillis(chronicle.nowMillis()),
        arguments.seed(),
        arguments.command(),
        arguments.seconds(),
        Sources.commit(),
        Machine.here(),
        conclusion.network(),
        lanes(chronicle.counts()),
        bars(chronicle.troubles()),
        words(conclusion.missing()),
        words(notAsked(arguments.only())),
        conclusion.summary(),
        conclusion.findings(),
        conclusion.violations(),
        Traffic.of(conclusion.histories(), chronicle.beginNanos(), System.nanoTime()));
  }

  private static List<Lane> lanes(Map<Kind, Long> counts) {
    List<Lane> lanes = new ArrayList<>();
    for (Group group : Group.values()) {
      counts.forEach(
          (kind, count) -> {
            if (kind.group() == group) {
              lanes.add(new Lane(kind.words(), group, count));
            }
          });
    }
    return lanes;
  }

  private static List<Bar> bars(List<Trouble> troubles) {
    return troubles.stream()
        .map(
            each ->
                new Bar(each.kind().words(), each.what(), each.fromMillis(), each.untilMillis()))
        .toList();
  }

  private static Set<Kind> notAsked(Set<Kind> only) {
    return only.isEmpty() ? EnumSet.noneOf(Kind.class) : EnumSet.complementOf(EnumSet.copyOf(only));
  }

  private static List<String> words(Set<Kind> kinds) {
    return kinds.stream().map(Kind::words).toList();
  }
}
