package io.onceward.model;

import org.jspecify.annotations.Nullable;

/**
 * What TLC said of one check.
 *
 * @param violated the invariant or property that does not hold; null if all do
 * @param steps how many states the counterexample has; 0 without one
 * @param trouble what kept TLC from an answer; null if it has one
 * @param output all that it printed
 */
record Finding(
    Check check,
    long states,
    long distinct,
    int depth,
    double seconds,
    @Nullable String violated,
    int steps,
    @Nullable String trouble,
    String output) {

  /** A model that must hold does, or one that must fail does. */
  boolean isAsItMustBe() {
    return trouble == null && (violated != null) == check.mustFail();
  }

  String result() {
    if (trouble != null) {
      return "NO ANSWER: " + trouble;
    }
    if (violated == null) {
      return check.mustFail() ? "MISSED: nothing fails" : "holds";
    }
    String how = violated + " fails after " + steps + " states";
    return check.mustFail() ? "caught: " + how : "BROKEN: " + how;
  }
}
