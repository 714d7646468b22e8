package io.onceward.testkit.conformance;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.guard.GuardedId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Plays the commands of one script against one home. */
final class Player {
  private static final long MINUTE_MICROS = 60_000_000L;

  private final Home home;
  private final Map<String, Key> dated = new HashMap<>();

  Player(Home home) {
    this.home = home;
  }

  String answer(String command) {
    Deque<String> words = new ArrayDeque<>(List.of(command.split(" ")));
    String verb = words.remove();
    return switch (verb) {
      case "submit" -> {
        Asked asked = asked(words);
        yield home.submit(asked.id, asked.fingerprint, asked.wish);
      }
      case "twins" -> twins(Integer.parseInt(words.remove()), asked(words));
      case "outcome" -> home.outcome(asked(words).id);
      case "abandon" -> home.abandon(asked(words).id);
      case "acknowledge" -> home.acknowledge(asked(words).id);
      case "resolve" -> {
        Asked asked = asked(words);
        yield home.resolve(asked.id, asked.wish) ? "taken" : "not unknown";
      }
      case "dated-only" -> {
        home.datedOnly(new Scope(words.remove()));
        yield "done";
      }
      case "count" -> String.valueOf(home.countOlderThan(bound(words)));
      case "forget" -> String.valueOf(home.forget(bound(words)));
      case "pass" -> {
        home.pass(hours(words.remove()));
        yield "done";
      }
      case "outage" -> {
        home.outage(hours(words.remove()));
        yield "done";
      }
      case "effects" -> String.valueOf(home.effects(String.join(" ", words)));
      default -> throw new IllegalArgumentException("no command " + verb);
    };
  }

  private Instant bound(Deque<String> words) {
    return home.now().minus(hours(words.remove()));
  }

  private static Duration hours(String word) {
    if (!word.matches("\\d+h")) {
      throw new IllegalArgumentException("a time is in hours, such as 25h, not " + word);
    }
    return Duration.ofHours(Long.parseLong(word.substring(0, word.length() - 1)));
  }

  private record Asked(GuardedId id, @Nullable Fingerprint fingerprint, String wish) {}

  /** {@code [as NAME] [in SCOPE] [unchecked] KEY [WISH...]}. */
  private Asked asked(Deque<String> words) {
    String principal = "";
    String scope = "";
    boolean checked = true;
    while (true) {
      String word = words.remove();
      switch (word) {
        case "as" -> principal = words.remove();
        case "in" -> scope = words.remove();
        case "unchecked" -> checked = false;
        default -> {
          String wish = String.join(" ", words);
          GuardedId id = new GuardedId(principal, new Scope(scope), key(word));
          return new Asked(id, checked ? Fingerprint.of(wish, new byte[0]) : null, wish);
        }
      }
    }
  }

  /**
   * A text key, or {@code dated:NAME} for one of now, or {@code dated:NAME+10m} and {@code
   * dated:NAME-60m} for a later or earlier one. A name keeps the date that it had at first.
   */
  private Key key(String word) {
    if (!word.startsWith("dated:")) {
      return Key.text(word);
    }
    return dated.computeIfAbsent(
        word,
        name -> {
          int sign = Math.max(name.indexOf('+'), name.indexOf('-'));
          long minutes = sign < 0 ? 0 : Long.parseLong(name.substring(sign, name.length() - 1));
          long now = home.now().toEpochMilli() * 1_000;
          return Key.dated(now + minutes * MINUTE_MICROS, name.hashCode());
        });
  }

  /** Copies at the same time: what they were answered, each different answer once, in order. */
  private String twins(int copies, Asked asked) {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> home.submit(asked.id, asked.fingerprint, asked.wish),
              task -> new Thread(task, "twin").start()));
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (CompletableFuture<String> answer : answers) {
      counts.merge(answer.join(), 1, Integer::sum);
    }
    List<String> told = new ArrayList<>();
    counts.forEach((each, count) -> told.add(count + " " + each));
    return String.join(", ", told);
  }
}
