package io.onceward.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Gathers what one check finds. */
final class Findings {
  private static final int TOLD = 20;

  private final String name;
  private final String promise;
  private final List<String> violations = new ArrayList<>();
  private String counted = "";
  private long checked;
  private long broken;

  Findings(String name, String promise) {
    this.name = name;
    this.promise = promise;
  }

  void checked() {
    checked++;
  }

  void checked(long count) {
    checked += count;
  }

  /** Texts are made only as long as they are told, since all may be broken. */
  void violation(Supplier<String> text) {
    broken++;
    if (violations.size() < TOLD) {
      violations.add(text.get());
    }
  }

  void count(long number, String what) {
    counted = counted + (counted.isEmpty() ? "" : ", ") + number + " " + what;
  }

  Finding done() {
    return new Finding(name, promise, checked, counted, broken, List.copyOf(violations));
  }
}
