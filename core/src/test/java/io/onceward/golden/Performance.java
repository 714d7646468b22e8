package io.onceward.golden;

import io.onceward.golden.Script.Command;
import io.onceward.golden.Script.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a script expected and what came of it.
 *
 * @param differences what came out otherwise than expected, each with file and line
 * @param fault what no expectation can put right: a command that is not understood, nodes that
 *     disagree; empty if there was none
 * @param actual the lines that came of each step, as far as the play went
 */
record Performance(List<String> differences, String fault, List<List<String>> actual) {
  private static final int TOLD_FRAMES = 8;

  /** Plays a script to its end, also past the first difference, unless it cannot be understood. */
  static Performance of(Script script, Function<Boolean, CounterService> services) {
    List<String> differences = new ArrayList<>();
    List<List<String>> actual = new ArrayList<>();
    Play play = new Play(services);
    for (Step step : script.steps()) {
      List<String> results = new ArrayList<>();
      for (Command command : step.commands()) {
        try {
          results.addAll(play.results(command));
        } catch (RuntimeException | AssertionError e) {
          String fault = script.name() + ":" + command.line() + ": " + told(e);
          return new Performance(differences, fault, actual);
        }
      }
      actual.add(results);
      compare(script, step, results, differences);
    }
    try {
      play.end();
    } catch (RuntimeException | AssertionError e) {
      String fault = script.name() + ":" + script.lines().size() + ": " + told(e);
      return new Performance(differences, fault, actual);
    }
    return new Performance(differences, "", actual);
  }

  /** A fault in the script by its message, anything else also by where it happened. */
  private static String told(Throwable thrown) {
    if (thrown instanceof ScriptException) {
      return String.valueOf(thrown.getMessage());
    }
    StringBuilder text = new StringBuilder(thrown.toString());
    for (int i = 0; i < Math.min(TOLD_FRAMES, thrown.getStackTrace().length); i++) {
      text.append("\n      at ").append(thrown.getStackTrace()[i]);
    }
    return text.toString();
  }

  private static void compare(
      Script script, Step step, List<String> actual, List<String> differences) {
    int lines = Math.max(step.expected().size(), actual.size());
    for (int i = 0; i < lines; i++) {
      String wanted = i < step.expected().size() ? step.expected().get(i) : "(nothing)";
      String got = i < actual.size() ? actual.get(i) : "(nothing)";
      if (!wanted.equals(got)) {
        int line = step.firstExpected() + i;
        differences.add(
            script.name() + ":" + line + ":\n    expected " + wanted + "\n    actual   " + got);
      }
    }
  }
}
