package io.onceward.torture.hostile;

import org.jspecify.annotations.Nullable;

/**
 * What an attack came to, and what it comes to elsewhere.
 *
 * @param control how long honest requests take while the same attack hits another node of this
 *     machine; known if they took too long
 */
record Verdict(Round.Result result, @Nullable Latencies control, double mostRatio) {

  /** Whether honest clients are too slow, compared with a machine on which nothing else happens. */
  static boolean isSlow(Round.Result result, double mostRatio) {
    return result.ratio() > mostRatio;
  }

  boolean isWell() {
    return !word().equals("WRONG") && !word().equals("SLOW");
  }

  String word() {
    if (!result.complaints().isEmpty()) {
      return "WRONG";
    }
    if (!isSlow(result, mostRatio)) {
      return "ok";
    }
    return control != null && result.during().p99() <= mostRatio * control.p99()
        ? "machine"
        : "SLOW";
  }
}
