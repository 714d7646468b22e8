package io.onceward.testkit.history.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a history is linearizable: whether all operations can be put into one order that
 * respects real time and in which the model answers as was recorded. Each key is judged on its own,
 * which is enough, since operations on different keys do not affect each other.
 *
 * <p>That is an NP-complete question. The search is quick as long as few operations of a key
 * overlap and few are pending.
 */
public final class Linearizability {
  private Linearizability() {}

  /**
   * Judges a history.
   *
   * @param limit how long all of it may take, explanation included
   */
  public static <S, I, O> Verdict check(
      SequentialModel<S, I, O> model, List<Operation<I, O>> history, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    Map<Object, List<Operation<I, O>>> keys = new LinkedHashMap<>();
    for (Operation<I, O> operation : history) {
      keys.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
    }
    Verdict.Undecided undecided = null;
    for (Map.Entry<Object, List<Operation<I, O>>> each : keys.entrySet()) {
      Search<S, I, O> search = new Search<>(model, each.getValue(), deadline);
      switch (search.run()) {
        case NOT_LINEARIZABLE -> {
          return explain(model, each.getKey(), each.getValue(), search, deadline);
        }
        case UNDECIDED -> undecided = new Verdict.Undecided(each.getKey(), search.why());
        case LINEARIZABLE -> {}
      }
    }
    return undecided != null ? undecided : new Verdict.Linearizable(keys.size(), history.size());
  }

  /**
   * A beginning of a linearizable history is linearizable, so the first answer that breaks it is
   * found by halving. If time is over meanwhile, what is found so far is told.
   */
  private static <S, I, O> Verdict explain(
      SequentialModel<S, I, O> model,
      Object key,
      List<Operation<I, O>> history,
      Search<S, I, O> whole,
      long deadline) {
    List<Operation<I, O>> answers = new ArrayList<>();
    for (Operation<I, O> operation : history) {
      if (!operation.isPending()) {
        answers.add(operation);
      }
    }
    answers.sort((a, b) -> Long.compare(a.answered(), b.answered()));
    int explained = 0;
    int broken = answers.size();
    Search<S, I, O> smallest = whole;
    while (broken - explained > 1) {
      int middle = (explained + broken) >>> 1;
      Search<S, I, O> half =
          new Search<>(model, until(history, answers.get(middle - 1).answered()), deadline);
      Search.Result result = half.run();
      if (result == Search.Result.UNDECIDED) {
        break;
      } else if (result == Search.Result.NOT_LINEARIZABLE) {
        broken = middle;
        smallest = half;
      } else {
        explained = middle;
      }
    }
    return new Verdict.NotLinearizable(
        key,
        answers.get(broken - 1).toString(),
        smallest.longestOrder(),
        smallest.longestStates(),
        smallest.stuck());
  }

  /** What was known at a moment: later answers are not, later operations were not sent. */
  private static <I, O> List<Operation<I, O>> until(List<Operation<I, O>> history, long moment) {
    List<Operation<I, O>> beginning = new ArrayList<>();
    for (Operation<I, O> operation : history) {
      if (operation.invoked() <= moment) {
        beginning.add(operation.knownAt(moment));
      }
    }
    return beginning;
  }
}
