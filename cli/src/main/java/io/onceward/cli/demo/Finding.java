package io.onceward.cli.demo;

import java.util.List;

/**
 * One thing that was to be proven.
 *
 * @param what the claim, in a few words
 * @param numbers what it was proven with
 * @param objections what speaks against it, a sentence each; empty if it holds
 */
record Finding(String what, String numbers, List<String> objections) {
  Finding {
    objections = List.copyOf(objections);
  }

  boolean holds() {
    return objections.isEmpty();
  }
}
