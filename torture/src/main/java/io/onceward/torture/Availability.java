package io.onceward.torture;

import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistoryTimeline;
import io.onceward.testkit.history.HistoryTimeline.Stretch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How soon requests are decided again. An episode begins when something has happened to the cluster
 * and a majority of its nodes is up and connected, and lasts until something else happens. What
 * counts is the longest time in it without a decision.
 */
final class Availability {
  private static final long STRETCH_MILLIS = 50;
  private static final long SOON_MILLIS = 3_000;
  private static final long AT_LAST_MILLIS = 10_000;

  /** Of fewer episodes, one in a hundred means nothing. */
  private static final int ENOUGH_EPISODES = 100;

  private static final int MOST_TOLD = 10;

  /**
   * One episode, in the time of the chronicle.
   *
   * @param what happened before it
   */
  record Episode(String what, long fromMillis, long untilMillis) {}

  private final List<Episode> episodes = new ArrayList<>();
  private String what = "";
  private long fromMillis = -1;

  /** From now on a majority is up and connected, after something has happened. */
  synchronized void expected(String afterWhat, long nowMillis) {
    unclear(nowMillis);
    what = afterWhat;
    fromMillis = nowMillis;
  }

  /**
   * Everything is up and connected again. If a majority was so all the while, its episode goes on:
   * a pause must not begin anew only because something was healed in the middle of it.
   */
  synchronized void healed(long nowMillis) {
    if (fromMillis < 0) {
      expected("everything was healed", nowMillis);
    }
  }

  /** From now on it is not known who is up and connected. */
  synchronized void unclear(long nowMillis) {
    if (fromMillis >= 0 && nowMillis > fromMillis) {
      episodes.add(new Episode(what, fromMillis, nowMillis));
    }
    fromMillis = -1;
  }

  synchronized List<Episode> episodes() {
    return List.copyOf(episodes);
  }

  /** Holds the episodes against what clients recorded. */
  Finding judge(List<Path> histories, long beginNanos, long endNanos) throws IOException {
    List<Stretch> stretches =
        HistoryTimeline.of(histories, beginNanos, endNanos, STRETCH_MILLIS * 1_000_000).stretches();
    boolean[] decided = new boolean[stretches.size()];
    for (int i = 0; i < decided.length; i++) {
      decided[i] = stretches.get(i).executed() > 0;
    }
    return judge(episodes(), decided);
  }

  /**
   * Judges episodes.
   *
   * @param decided whether anything was decided in each stretch of 50 ms from the beginning on
   */
  static Finding judge(List<Episode> episodes, boolean[] decided) {
    List<Long> pauses = new ArrayList<>();
    List<String> slow = new ArrayList<>();
    List<String> tooSlow = new ArrayList<>();
    for (Episode episode : episodes) {
      long pause = longestPause(episode, decided);
      pauses.add(pause);
      if (pause > SOON_MILLIS) {
        String text =
            String.format(
                Locale.ROOT,
                "no decision for %.1f s in the %.1f s from %.1f s on, after: %s",
                pause / 1_000.0,
                (episode.untilMillis - episode.fromMillis) / 1_000.0,
                episode.fromMillis / 1_000.0,
                episode.what);
        (pause > AT_LAST_MILLIS ? tooSlow : slow).add(text);
      }
    }
    List<String> violations = new ArrayList<>(tooSlow);
    int slowOnes = slow.size() + tooSlow.size();
    if (episodes.size() >= ENOUGH_EPISODES && slowOnes * 100 > episodes.size()) {
      violations.addAll(slow);
    }
    return new Finding(
        "DecidedSoonAgain",
        "while a majority is up and connected, requests are decided again within 3 s in 99 % of the"
            + " episodes, and within 10 s in all",
        episodes.size(),
        counted(pauses, slowOnes),
        violations.size(),
        violations.subList(0, Math.min(MOST_TOLD, violations.size())));
  }

  private static String counted(List<Long> pauses, int slowOnes) {
    if (pauses.isEmpty()) {
      return "";
    }
    List<Long> sorted = pauses.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "longest pause of an episode %.2f s in the middle, %.2f s at most; %d over 3 s",
        sorted.get(sorted.size() / 2) / 1_000.0,
        sorted.get(sorted.size() - 1) / 1_000.0,
        slowOnes);
  }

  /** An episode that ends before anything is decided says only that it took at least as long. */
  private static long longestPause(Episode episode, boolean[] decided) {
    long longest = 0;
    long last = episode.fromMillis;
    int first = (int) (episode.fromMillis / STRETCH_MILLIS) + 1;
    for (int i = first; i < decided.length && i * STRETCH_MILLIS < episode.untilMillis; i++) {
      if (decided[i]) {
        longest = Math.max(longest, i * STRETCH_MILLIS - last);
        last = (i + 1) * STRETCH_MILLIS;
      }
    }
    return Math.max(longest, episode.untilMillis - last);
  }
}
