package io.onceward.benchmarks;

import java.util.List;
import java.util.Locale;

/** How the figures of {@code bench table} were measured. */
record TableHeading(Sizes sizes, List<String> flags) implements Report.Heading {

  @Override
  public String program() {
    return "onceward bench table";
  }

  @Override
  public List<String> lines() {
    return List.of(
        "each table in a JVM of its own with " + String.join(" ", flags),
        String.format(
            Locale.ROOT,
            "%,d sessions, %,d keys (few: %,d); %d x %d rounds of %,d requests, entries of 64",
            sizes.sessions(),
            sizes.keys(),
            sizes.fewKeys(),
            sizes.passes(),
            sizes.rounds(),
            sizes.requests()));
  }

  @Override
  public void describe(Json line) {
    line.text("flags", String.join(" ", flags));
    line.number("sessions", sizes.sessions());
    line.number("keys", sizes.keys());
    line.number("fewKeys", sizes.fewKeys());
    line.number("passes", sizes.passes());
    line.number("rounds", sizes.rounds());
    line.number("requests", sizes.requests());
  }
}
