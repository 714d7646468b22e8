package io.onceward.crash;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What came out for one home, step by step. */
final class Tally {
  /** Counts of one step. */
  static final class Row {
    int rounds;
    int killed;
    int retried;
    int replayed;
    int unknownResolved;
    int lost;
    int doubled;
    int different;

    boolean isClean() {
      return lost == 0 && doubled == 0 && different == 0;
    }

    void add(Row other) {
      rounds += other.rounds;
      killed += other.killed;
      retried += other.retried;
      replayed += other.replayed;
      unknownResolved += other.unknownResolved;
      lost += other.lost;
      doubled += other.doubled;
      different += other.different;
    }
  }

  /** How many findings are told in full. */
  private static final int TOLD = 10;

  private final Home home;
  private final Map<Step, Row> rows = new EnumMap<>(Step.class);
  private final List<String> findings = new ArrayList<>();
  private int kills;
  private int burgled;
  private double seconds;

  Tally(Home home) {
    this.home = home;
    for (Step step : home.steps()) {
      rows.put(step, new Row());
    }
  }

  Home home() {
    return home;
  }

  Row row(Step step) {
    return rows.computeIfAbsent(step, any -> new Row());
  }

  /** A process was killed. */
  void killed() {
    kills++;
  }

  int kills() {
    return kills;
  }

  /** Another process got into these many journals of one that lived. */
  void burgled(int journals) {
    if (journals > 0) {
      burgled += journals;
      found("another process got into " + journals + " journals of a process that lived");
    }
  }

  int burgled() {
    return burgled;
  }

  /** Whether nothing went wrong at any step, nor beside them. */
  boolean isClean() {
    return total().isClean() && burgled == 0;
  }

  void took(double time) {
    seconds = time;
  }

  double seconds() {
    return seconds;
  }

  void found(String finding) {
    if (findings.size() < TOLD) {
      findings.add(finding);
    }
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  Row total() {
    Row total = new Row();
    rows.values().forEach(total::add);
    return total;
  }
}
