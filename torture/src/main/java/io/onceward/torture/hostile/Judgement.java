package io.onceward.torture.hostile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Whether honest clients were slow during an attack. One percent of a few seconds is a handful of
 * requests, which one stall of the machine holds up together, and without a stall the p99 of these
 * seconds is half of what it is otherwise. So medians are compared: of the p99 of the last
 * measurements without an attack, and, if an attack seems slow, of the p99 of three rounds of it.
 * What is slow each time stays slow, and a moment of good or bad luck on either side does not
 * count.
 */
final class Judgement {
  /** How often an attack is carried out that seems slow the first time. */
  static final int ROUNDS = 3;

  /** How many measurements without an attack count. The node gets faster as it runs. */
  static final int MEASUREMENTS = 9;

  private final double mostRatio;
  private final Deque<Latencies> without = new ArrayDeque<>();

  Judgement(double mostRatio) {
    this.mostRatio = mostRatio;
  }

  /** Takes in what was measured without an attack. */
  void usually(Latencies measured) {
    without.add(measured);
    if (without.size() > MEASUREMENTS) {
      without.remove();
    }
  }

  /** One round of an attack. */
  interface Playing {
    Round.Result play() throws Exception;
  }

  /** Carries out an attack until it is clear whether it makes honest clients slow. */
  Round.Result judge(Playing playing) throws Exception {
    Round.Result all = playing.play();
    usually(all.before());
    List<Latencies> during = new ArrayList<>(List.of(all.during()));
    all = all.with(Latencies.middle(without), all.during());
    boolean doubtful = all.ratio() > mostRatio;
    // What is wrong whatever the time does not get better by doing it again.
    while (doubtful && during.size() < ROUNDS && all.complaints().isEmpty()) {
      Round.Result again = playing.play();
      usually(again.before());
      during.add(again.during());
      all = all.and(again).with(Latencies.middle(without), Latencies.middle(during));
    }
    return all;
  }
}
