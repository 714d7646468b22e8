package io.onceward.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what TLC prints, line by line. */
final class TlcOutput {
  private static final Pattern TOTAL =
      Pattern.compile("^(\\d+) states generated, (\\d+) distinct states found, \\d+ states left.*");
  private static final Pattern PROGRESS =
      Pattern.compile("^Progress\\(.*?: ([\\d,]+) states generated.*? ([\\d,]+) distinct states.*");
  private static final Pattern DEPTH =
      Pattern.compile("^The depth of the complete state graph search is (\\d+)\\.$");
  private static final Pattern VIOLATED =
      Pattern.compile("^Error: (?:Invariant|Action property|Property) (\\S+) is violated.*");
  private static final Pattern UNTIMELY = Pattern.compile("^Error: Temporal propert.* violated.*");
  private static final Pattern STATE = Pattern.compile("^State \\d+: .*");
  private static final Pattern OTHER_ERROR =
      Pattern.compile("^Error: (?!The behavior up to|The following behavior)(.+)");

  private final StringBuilder all = new StringBuilder();
  private long states;
  private long distinct;
  private int depth;
  private int steps;
  private boolean completed;
  private @Nullable String violated;
  private @Nullable String error;

  /** Takes the next line; returns what a progress line should say now, or null for as before. */
  @Nullable String take(String line) {
    all.append(line).append('\n');
    Matcher progress = PROGRESS.matcher(line);
    if (progress.matches()) {
      return progress.group(2) + " distinct states of " + progress.group(1) + " visited";
    }
    Matcher total = TOTAL.matcher(line);
    Matcher deep = DEPTH.matcher(line);
    Matcher broken = VIOLATED.matcher(line);
    Matcher other = OTHER_ERROR.matcher(line);
    if (total.matches()) {
      states = Long.parseLong(total.group(1));
      distinct = Long.parseLong(total.group(2));
    } else if (deep.matches()) {
      depth = Integer.parseInt(deep.group(1));
    } else if (broken.matches()) {
      violated = broken.group(1);
    } else if (UNTIMELY.matcher(line).matches()) {
      violated = "a temporal property";
    } else if (STATE.matcher(line).matches()) {
      steps++;
    } else if (line.startsWith("Model checking completed. No error")) {
      completed = true;
    } else if (other.matches() && error == null) {
      error = other.group(1);
    }
    return null;
  }

  /** What all lines say together. Only a completed search or a counterexample is an answer. */
  Finding finding(Check check, double seconds) {
    String trouble = null;
    if (!completed && (violated == null || steps == 0)) {
      trouble = error == null ? "TLC ended without a result" : error;
    }
    return new Finding(
        check, states, distinct, depth, seconds, violated, steps, trouble, all.toString());
  }
}
