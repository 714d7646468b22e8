package io.onceward.testkit.history.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The search for one key, as Wing and Gong describe it, with Lowe's memory of where it has been
 * ("Testing for linearizability", 2017): two ways that have put the same operations in order and
 * lead to the same state go on alike, so the second is not followed.
 *
 * <p>Events are in a list, in the order of time. An operation whose sending comes before the first
 * answer in the list may be the next one; then both its events leave the list. When an answer is
 * met first, its operation should have been earlier: the last choice is undone. A pending operation
 * has no second event, so nothing ever forces it into the order, and the search is over when no
 * answer is left.
 *
 * <p>Since an answer need not tell everything, the state is a set of states that are possible.
 */
final class Search<S, I, O> {
  enum Result {
    LINEARIZABLE,
    NOT_LINEARIZABLE,
    UNDECIDED
  }

  /** Operations in order, and where they lead. */
  private record Place<S>(Operations done, Set<S> states) {}

  /** A set of operations that is compared by content. */
  private static final class Operations {
    private final long[] bits;
    private final int hash;

    Operations(long[] bits) {
      this.bits = bits.clone();
      this.hash = Arrays.hashCode(bits);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Operations that && Arrays.equals(bits, that.bits);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private static final int HEAD = 0;
  private static final int NONE = -1;
  private static final int ROOM_BYTES = 512 << 20;
  private static final int PLACE_BYTES = 200;

  private final SequentialModel<S, I, O> model;
  private final List<Operation<I, O>> operations;
  private final long deadline;

  /** Event 2i+1 is the sending of operation i, event 2i+2 its answer. */
  private final int[] next;

  private final int[] previous;

  private final long[] done;
  private final int[] chosen;
  private final List<Set<S>> statesBefore = new ArrayList<>();
  private int depth;
  private int answersLeft;

  private List<String> longestOrder = List.of();
  private List<String> stuck = List.of();
  private String longestStates = "";
  private int fewestLeft = Integer.MAX_VALUE;
  private String why = "";

  Search(SequentialModel<S, I, O> model, List<Operation<I, O>> operations, long deadline) {
    this.model = model;
    this.operations = operations;
    this.deadline = deadline;
    int count = operations.size();
    next = new int[2 * count + 1];
    previous = new int[2 * count + 1];
    done = new long[(count + 63) / 64];
    chosen = new int[count];
    link();
  }

  private void link() {
    List<Integer> events = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      events.add(2 * i + 1);
      if (!operations.get(i).isPending()) {
        events.add(2 * i + 2);
        answersLeft++;
      }
    }
    // At one moment sendings come first: what cannot be told apart overlaps.
    events.sort(
        (a, b) -> {
          int order = Long.compare(time(a), time(b));
          return order != 0 ? order : Boolean.compare(isAnswer(a), isAnswer(b));
        });
    int last = HEAD;
    for (int event : events) {
      next[last] = event;
      previous[event] = last;
      last = event;
    }
    next[last] = NONE;
  }

  private long time(int event) {
    Operation<I, O> operation = operations.get(operationOf(event));
    return isAnswer(event) ? operation.answered() : operation.invoked();
  }

  private static boolean isAnswer(int event) {
    return event % 2 == 0;
  }

  private static int operationOf(int event) {
    return (event - 1) / 2;
  }

  Result run() {
    Set<Place<S>> visited = new HashSet<>();
    long room = ROOM_BYTES / (PLACE_BYTES + 8L * done.length);
    Set<S> states = Set.of(model.initial());
    int event = next[HEAD];
    for (long steps = 1; answersLeft > 0; steps++) {
      if (steps % 1024 == 0 && System.nanoTime() - deadline > 0) {
        why = "time is over after " + steps + " steps, " + visited.size() + " places";
        return Result.UNDECIDED;
      }
      if (visited.size() >= room) {
        why = "room is over after " + steps + " steps, " + visited.size() + " places";
        return Result.UNDECIDED;
      }
      if (event != NONE && !isAnswer(event)) {
        Set<S> after = after(states, operationOf(event));
        if (!after.isEmpty() && isNew(visited, operationOf(event), after, states)) {
          choose(operationOf(event), states);
          states = after;
          event = next[HEAD];
        } else {
          event = next[event];
        }
        continue;
      }
      remember(states);
      if (depth == 0) {
        return Result.NOT_LINEARIZABLE;
      }
      states = statesBefore.remove(depth - 1);
      event = next[undo()];
    }
    return Result.LINEARIZABLE;
  }

  private Set<S> after(Set<S> states, int index) {
    Operation<I, O> operation = operations.get(index);
    Set<S> after = new LinkedHashSet<>();
    for (S state : states) {
      after.addAll(model.step(state, operation.input(), operation.output()));
    }
    return after;
  }

  private boolean isNew(Set<Place<S>> visited, int index, Set<S> after, Set<S> before) {
    if (operations.get(index).isPending() && after.equals(before)) {
      // Whether it took effect makes no difference, so it did not.
      return false;
    }
    done[index / 64] |= 1L << index;
    boolean fresh = visited.add(new Place<>(new Operations(done), after));
    done[index / 64] &= ~(1L << index);
    return fresh;
  }

  private void choose(int index, Set<S> before) {
    done[index / 64] |= 1L << index;
    chosen[depth++] = index;
    statesBefore.add(before);
    unlink(2 * index + 1);
    if (!operations.get(index).isPending()) {
      unlink(2 * index + 2);
      answersLeft--;
    }
  }

  /** Undoes the last choice and tells the event at which it was made. */
  private int undo() {
    int index = chosen[--depth];
    done[index / 64] &= ~(1L << index);
    if (!operations.get(index).isPending()) {
      relink(2 * index + 2);
      answersLeft++;
    }
    relink(2 * index + 1);
    return 2 * index + 1;
  }

  private void unlink(int event) {
    next[previous[event]] = next[event];
    if (next[event] != NONE) {
      previous[next[event]] = previous[event];
    }
  }

  private void relink(int event) {
    next[previous[event]] = event;
    if (next[event] != NONE) {
      previous[next[event]] = event;
    }
  }

  /** Keeps the longest order for an explanation, with what could not follow it. */
  private void remember(Set<S> states) {
    if (answersLeft >= fewestLeft) {
      return;
    }
    fewestLeft = answersLeft;
    List<String> order = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      order.add(operations.get(chosen[i]).toString());
    }
    List<String> cannot = new ArrayList<>();
    for (int event = next[HEAD]; event != NONE && !isAnswer(event); event = next[event]) {
      cannot.add(operations.get(operationOf(event)).toString());
    }
    longestOrder = List.copyOf(order);
    longestStates = states.toString();
    stuck = List.copyOf(cannot);
  }

  List<String> longestOrder() {
    return longestOrder;
  }

  String longestStates() {
    return longestStates;
  }

  List<String> stuck() {
    return stuck;
  }

  /** Why it is undecided. */
  String why() {
    return why;
  }
}
