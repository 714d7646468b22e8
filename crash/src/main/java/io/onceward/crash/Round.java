package io.onceward.crash;

import io.onceward.Key;
import io.onceward.crash.bank.Transfer;
import org.jspecify.annotations.Nullable;

/** One request through its deaths to its answer. */
final class Round {
  final int lane;
  final Key key;
  final Transfer transfer;

  /** Where its process is killed first; the round counts there. */
  final Step step;

  int kills;
  int copies;
  int replays;
  int unknowns;
  boolean resolved;

  /** What the first complete answer said: kind and text. */
  @Nullable String answer;

  /** Another one that said something else. */
  @Nullable String otherAnswer;

  /** Answers since it was last killed. */
  int answers;

  /** Copies that were not decided, since the last answer. */
  int undecided;

  /** The process in which a run of it is paused. */
  @Nullable Child pausedIn;

  Round(int lane, Key key, Transfer transfer, Step step) {
    this.lane = lane;
    this.key = key;
    this.transfer = transfer;
    this.step = step;
  }

  String order(@Nullable Step stop) {
    return "run "
        + transfer.request()
        + " "
        + transfer.source()
        + " "
        + transfer.target()
        + " "
        + transfer.amount()
        + " "
        + (stop == null ? "-" : stop.name());
  }

  void answered(String said) {
    answers++;
    undecided = 0;
    if (answer == null) {
      answer = said;
    } else if (!answer.equals(said)) {
      otherAnswer = said;
    }
  }
}
