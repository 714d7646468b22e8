package io.onceward.testkit.history;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges a recorded run.
 *
 * <pre>{@code
 * HistoryCheck check =
 *     HistoryCheck.of(
 *         files,
 *         new HistoryOptions()
 *             .service("counters", ServiceKind.COUNTERS)
 *             .finalSerial("counters", 120_000)
 *             .finalState("n1", 130_212, digest));
 * check.findings().forEach(System.out::println);
 * }</pre>
 *
 * <p>All checks but the search take time in proportion to the number of ops, and memory as {@code
 * History} says; payloads are read from the files.
 */
public final class HistoryCheck {
  private final HistorySummary summary;
  private final List<Finding> findings;

  private HistoryCheck(HistorySummary summary, List<Finding> findings) {
    this.summary = summary;
    this.findings = findings;
  }

  /**
   * Reads the files of all processes of a run and carries out every check.
   *
   * @throws IOException if a file cannot be read
   * @throws io.onceward.DamagedException if one is not as it was written, but for a torn last event
   */
  public static HistoryCheck of(List<Path> files, HistoryOptions options) throws IOException {
    List<Check> checks =
        new ArrayList<>(
            List.of(
                new OneSerialPerId(),
                new OneIdPerSerial(),
                new EveryEffectIsAccountedFor(),
                new AnswersNeverDiffer(),
                new NeverMeansNever(),
                new RealTimeOrderIsKept(),
                new LogOrderIsKept(),
                new SessionOrderIsKept(),
                new RepliesAsTheModelSays(),
                new BooksBalance(),
                new FinalStatesAgree()));
    if (!options.searchTime().isZero()) {
      checks.add(new KeysAreLinearizable());
    }
    double steps = checks.size() + 2;
    options.progress().accept("reading", 0.0);
    History history = History.read(files);
    options.progress().accept("ordering", 1 / steps);
    List<ServiceOrder> orders = new ArrayList<>();
    options
        .services()
        .forEach(
            (name, kind) -> {
              if (kind != ServiceKind.OPAQUE) {
                orders.add(ServiceOrder.of(history, name, kind, options.finalSerial(name)));
              }
            });
    Evidence evidence = new Evidence(history, orders, options);
    List<Finding> findings = new ArrayList<>();
    for (Check check : checks) {
      options.progress().accept(check.name(), (2 + findings.size()) / steps);
      findings.add(check.of(evidence));
    }
    options.progress().accept("done", 1.0);
    return new HistoryCheck(HistorySummary.of(evidence), List.copyOf(findings));
  }

  /** What each check found, in the order in which they were carried out. */
  public List<Finding> findings() {
    return findings;
  }

  /** Whether no check found a violation. */
  public boolean holds() {
    return findings.stream().allMatch(Finding::holds);
  }

  public HistorySummary summary() {
    return summary;
  }
}
