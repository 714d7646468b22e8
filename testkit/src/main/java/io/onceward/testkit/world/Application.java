package io.onceward.testkit.world;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program that uses the library remembers by itself: what it still wants, and what it has
 * asked for under which tag and not finished. At the home of a client with a journal it outlives
 * the process; elsewhere it ends with it.
 */
final class Application {
  private final ArrayDeque<Wish> wanted = new ArrayDeque<>();
  private final Map<String, Wish> asked = new LinkedHashMap<>();
  private int tags;

  /** Wants this, now or again. */
  void want(Wish wish) {
    wanted.add(wish);
  }

  @Nullable Wish next() {
    return wanted.poll();
  }

  boolean wantsMore() {
    return !wanted.isEmpty();
  }

  /** Writes down what it is about to ask for, and gives it a tag. */
  String ask(Wish wish) {
    String tag = "tag " + ++tags;
    asked.put(tag, wish);
    return tag;
  }

  /** What was asked for and is not finished, by tag. */
  Map<String, Wish> asked() {
    return asked;
  }

  /** Has what is known of this tag; null if it had it before. */
  @Nullable Wish finish(String tag) {
    return asked.remove(tag);
  }
}
