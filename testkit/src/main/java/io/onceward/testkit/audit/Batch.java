package io.onceward.testkit.audit;

import io.onceward.Decision;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node did with one log entry: its decisions in order, and the runs of the service between
 * them. A node that tells its decisions to nobody still shows its runs.
 */
public final class Batch {
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Execution> executions = new ArrayList<>();

  /** The node decided the next copy. */
  public void decided(Decision decision) {
    decisions.add(decision);
  }

  /** The service ran; runs follow the order of the copies that they belong to. */
  public void executed(Execution execution) {
    executions.add(execution);
  }

  public List<Decision> decisions() {
    return decisions;
  }

  public List<Execution> executions() {
    return executions;
  }

  /**
   * Which runs belong to which copy. Decisions are told when the whole entry is applied, so a run
   * is given to the first copy in order that carries its wish and was told that it executed. A run
   * that no copy accounts for is given to the last one, where it stands out.
   */
  List<List<Execution>> executionsByCopy(long[] wishes) {
    List<List<Execution>> byCopy = new ArrayList<>();
    for (int ordinal = 0; ordinal < decisions.size(); ordinal++) {
      byCopy.add(List.of());
    }
    int next = 0;
    for (Execution execution : executions) {
      int ordinal = next;
      while (ordinal < wishes.length && !accountsFor(ordinal, wishes[ordinal], execution)) {
        ordinal++;
      }
      if (ordinal < wishes.length) {
        byCopy.set(ordinal, List.of(execution));
        next = ordinal + 1;
      } else {
        List<Execution> unexplained = new ArrayList<>(byCopy.get(wishes.length - 1));
        unexplained.add(execution);
        byCopy.set(wishes.length - 1, unexplained);
      }
    }
    return byCopy;
  }

  private boolean accountsFor(int ordinal, long wish, Execution execution) {
    return wish == execution.wish()
        && decisions.get(ordinal) instanceof Decision.Replied replied
        && !replied.replay();
  }
}
