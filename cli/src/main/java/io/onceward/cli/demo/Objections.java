package io.onceward.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** What is wrong, a sentence each. The first ones are kept in full, the others counted. */
final class Objections {
  private static final int MOST_KEPT = 10;

  private final List<String> kept = new ArrayList<>();
  private long others;

  void add(String sentence) {
    if (kept.size() < MOST_KEPT) {
      kept.add(sentence);
    } else {
      others++;
    }
  }

  void addAll(List<String> sentences) {
    sentences.forEach(this::add);
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>(kept);
    if (others > 0) {
      sentences.add("and " + others + " more");
    }
    return sentences;
  }
}
